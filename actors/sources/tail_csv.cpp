#include "actors/sources/tail_csv.hpp"

#include "actors/sources/byte_scan.hpp"
#include "actors/sources/csv_splitter.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace spillway::detail {
namespace {

std::string plural(std::size_t n, const char* thing) { return std::to_string(n) + ' ' + thing + (n == 1 ? "" : "s"); }

class csv_stream final : public record_stream {
 public:
  csv_stream(csv_record_options options, std::vector<column_binding> columns, bad_row_port& bad);

  char* room(std::size_t n) override { return splitter_.room(n); }
  void added(std::size_t n) override { splitter_.added(n); }
  did read(row_slots& to) override;
  fault_text fault() override { return of_record(splitter_.fault().reason, splitter_.fault().help); }
  void cut(std::string_view reason, std::string_view help) override;
  void start_at(std::uint64_t offset, std::uint64_t lines) override;
  void skip_before(std::uint64_t offset) override { first_ = offset; }
  bool has_header() const override { return !header_.empty(); }
  std::uint64_t offset() const override { return has_header() ? splitter_.offset() : 0; }
  std::uint64_t lines() override { return has_header() ? splitter_.lines() : 0; }
  std::size_t pending() const override { return splitter_.pending(); }

 private:
  struct setter {
    std::size_t cell, at;
    cell_reader reader;
    std::shared_ptr<const void> state;
  };

  did read_header();
  void take_header(std::vector<std::string> names);
  void in_order_of_members();
  bool is_row();
  bool store(char* row);
  fault_text of_record(std::string_view reason, std::string_view help);
  void refuse_record(std::string_view reason, std::string_view help);
  void refuse_cell(std::size_t cell, std::string_view is_wrong);
  void refuse_cell(std::size_t cell, const std::exception& why);
  std::string place() { return options_.place + std::to_string(splitter_.line()); }
  std::string column(std::size_t cell) { return ", column '" + header_[cell] + '\''; }

  csv_record_options options_;
  std::vector<column_binding> columns_;
  bad_row_port& bad_;
  csv_splitter splitter_;
  std::vector<std::string> header_;
  std::vector<setter> setters_;
  std::uint64_t first_ = 0;
  std::size_t refusals_ = 0;
};

csv_stream::csv_stream(csv_record_options options, std::vector<column_binding> columns, bad_row_port& bad)
    : options_(std::move(options)), columns_(std::move(columns)), bad_(bad), splitter_(options_.delimiter, options_.max_record) {
  if (options_.header) return;
  if (options_.names.empty())
    in_order_of_members();
  else
    take_header(options_.names);
}

void csv_stream::in_order_of_members() {
  std::sort(columns_.begin(), columns_.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::vector<std::string> names;
  for (const auto& c : columns_) names.push_back(c.column);
  take_header(std::move(names));
}

void csv_stream::take_header(std::vector<std::string> names) {
  const auto source = options_.header ? options_.place.substr(0, options_.place.rfind(':')) : "csv_lines";
  const auto places = find_columns(source, names, columns_);
  header_ = std::move(names);
  setters_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i)
    setters_.push_back({places[i], columns_[i].from, columns_[i].reader, columns_[i].state});
}

void csv_stream::start_at(std::uint64_t offset, std::uint64_t lines) {
  if (options_.header && offset == 0) header_.clear();
  splitter_.start_at(offset, lines);
}

/// Without a header there is no row, whatever becomes of bad ones.
record_stream::did csv_stream::read_header() {
  const auto found = splitter_.next();
  if (found == csv_splitter::found::bad || found == csv_splitter::found::lost) return did::lost;
  if (found != csv_splitter::found::record) return did::needs_bytes;
  std::vector<std::string> names;
  for (const auto& c : splitter_.cells()) names.emplace_back(c.text);
  take_header(std::move(names));
  return did::more;
}

record_stream::did csv_stream::read(row_slots& to) {
  if (!has_header())
    if (const auto did = read_header(); did != did::more) return did;
  refusals_ = 0;
  while (!to.full() && refusals_ < refusals_a_turn) {
    const auto begin = splitter_.offset();
    const auto found = splitter_.next();
    if (found == csv_splitter::found::lost) return did::lost;
    if (found == csv_splitter::found::needs_bytes || found == csv_splitter::found::end) return did::needs_bytes;
    if (begin < first_) continue;
    if (found == csv_splitter::found::bad)
      refuse_record(splitter_.fault().reason, splitter_.fault().help);
    else if (is_row() && store(to.next))
      to.took();
  }
  return did::more;
}

bool csv_stream::is_row() {
  const auto cells = splitter_.cells();
  if (cells.size() == header_.size()) return true;
  if (cells.size() == 1 && cells[0].text.empty() && !cells[0].quoted) return false;
  const auto wanted = options_.header ? "but the header has " : "but there are to be ";
  refuse_record("has " + plural(cells.size(), "cell") + ", " + wanted + std::to_string(header_.size()),
                cells.size() > header_.size() ? "put a cell with a delimiter or a line end in quotes"
                                              : "write an empty cell for each that is missing");
  return false;
}

bool csv_stream::store(char* row) {
  const auto cells = splitter_.cells();
  const auto ascii = splitter_.ascii();
  std::size_t at = 0;
  std::string_view reason;
  try {
    for (const auto& s : setters_) {
      at = s.cell;
      if (!ascii && s.reader.is_text && !is_utf8(cells[at].text))
        reason = "is not UTF-8";
      else
        reason = s.reader.store(s.state.get(), cells[at], row + s.at);
      if (!reason.empty()) break;
    }
  } catch (const std::exception& e) {
    refuse_cell(at, e);
    return false;
  }
  if (!reason.empty()) refuse_cell(at, reason);
  return reason.empty();
}

void csv_stream::cut(std::string_view reason, std::string_view help) {
  splitter_.ended();
  const auto found = splitter_.next();
  if (found == csv_splitter::found::end) return;
  const auto cells = splitter_.cells();
  const auto blank = found == csv_splitter::found::record && cells.size() == 1 && cells[0].text.empty() && !cells[0].quoted;
  if (!blank) refuse_record(reason, help);
}

record_stream::fault_text csv_stream::of_record(std::string_view reason, std::string_view help) {
  return {{{}, place(), shown_text(splitter_.record()), std::string{reason}}, std::string{help}};
}

void csv_stream::refuse_record(std::string_view reason, std::string_view help) {
  ++refusals_;
  bad_.refuse(of_record(reason, help).row, help);
}

void csv_stream::refuse_cell(std::size_t cell, std::string_view is_wrong) {
  ++refusals_;
  const auto text = splitter_.cells()[cell].text;
  bad_.refuse({{}, place() + column(cell), shown_text(text), std::string{is_wrong}},
              text.empty() ? "make the member a std::optional, which is null for an empty cell"
                           : "correct what writes it, or read the column with a function, columns{{\"" + header_[cell] +
                                 "\", &row::member, f}}");
}

void csv_stream::refuse_cell(std::size_t cell, const std::exception& why) {
  ++refusals_;
  bad_.refuse({{}, place() + column(cell), shown_text(splitter_.cells()[cell].text), std::string{"was refused: "} + why.what()},
              "correct what writes it, or the function for this column");
}

}  // namespace

std::unique_ptr<record_stream> csv_records(csv_record_options options, std::vector<column_binding> columns, bad_row_port& bad) {
  return std::make_unique<csv_stream>(std::move(options), std::move(columns), bad);
}

}  // namespace spillway::detail
