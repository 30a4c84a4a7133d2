#include "actors/sources/tail_csv.hpp"

#include "actors/sources/csv_rows.hpp"

#include <algorithm>
#include <utility>

namespace spillway::detail {
namespace {

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
  bool has_header() const override { return rows_.has_header(); }
  std::uint64_t offset() const override { return has_header() ? splitter_.offset() : 0; }
  std::uint64_t lines() override { return has_header() ? splitter_.lines() : 0; }
  std::size_t pending() const override { return splitter_.pending(); }

 private:
  did read_header();
  void take_header(std::vector<std::string> names);
  fault_text of_record(std::string_view reason, std::string_view help) {
    return {rows_.as_bad(splitter_, reason), std::string{help}};
  }

  csv_record_options options_;
  csv_splitter splitter_;
  csv_rows rows_;
  std::uint64_t first_ = 0;
};

std::vector<std::string> names_in_order_of_members(std::vector<column_binding> columns) {
  std::sort(columns.begin(), columns.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::vector<std::string> names;
  for (auto& c : columns) names.push_back(std::move(c.column));
  return names;
}

csv_rows::words words_for(const csv_record_options& options) {
  return {options.place, "correct what writes it", options.header ? "but the header has " : "but there are to be "};
}

csv_stream::csv_stream(csv_record_options options, std::vector<column_binding> columns, bad_row_port& bad)
    : options_(std::move(options)), splitter_(options_.delimiter, options_.max_record), rows_(columns, bad, words_for(options_)) {
  if (!options_.header) take_header(options_.names.empty() ? names_in_order_of_members(std::move(columns)) : options_.names);
}

void csv_stream::take_header(std::vector<std::string> names) {
  rows_.set_header(options_.header ? options_.place.substr(0, options_.place.rfind(':')) : "csv_lines", std::move(names));
}

void csv_stream::start_at(std::uint64_t offset, std::uint64_t lines) {
  if (options_.header && offset == 0) rows_.forget_header();
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
  rows_.begin_turn();
  while (!to.full() && rows_.refused() < refusals_a_turn) {
    const auto begin = splitter_.offset();
    const auto found = splitter_.next();
    if (found == csv_splitter::found::lost) return did::lost;
    if (found == csv_splitter::found::needs_bytes || found == csv_splitter::found::end) return did::needs_bytes;
    if (begin < first_) continue;
    if (found == csv_splitter::found::bad)
      rows_.refuse(splitter_, splitter_.fault().reason, splitter_.fault().help);
    else if (rows_.store(splitter_, to.next))
      to.took();
  }
  return did::more;
}

void csv_stream::cut(std::string_view reason, std::string_view help) {
  splitter_.ended();
  const auto found = splitter_.next();
  if (found == csv_splitter::found::end || (found == csv_splitter::found::record && is_empty_line(splitter_))) return;
  rows_.refuse(splitter_, reason, help);
}

}  // namespace

std::unique_ptr<record_stream> csv_records(csv_record_options options, std::vector<column_binding> columns, bad_row_port& bad) {
  return std::make_unique<csv_stream>(std::move(options), std::move(columns), bad);
}

}  // namespace spillway::detail
