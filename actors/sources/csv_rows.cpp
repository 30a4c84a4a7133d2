#include "actors/sources/csv_rows.hpp"

#include "actors/sources/byte_scan.hpp"
#include "actors/sources/shown_text.hpp"

#include <utility>

namespace spillway::detail {
namespace {

std::string plural(std::size_t n, const char* thing) { return std::to_string(n) + ' ' + thing + (n == 1 ? "" : "s"); }

}  // namespace

bool is_empty_line(const csv_splitter& from) noexcept {
  const auto cells = from.cells();
  return cells.size() == 1 && cells[0].text.empty() && !cells[0].quoted;
}

csv_rows::csv_rows(std::vector<column_binding> columns, bad_row_port& bad, words with)
    : columns_(std::move(columns)), bad_(bad), words_(std::move(with)) {}

void csv_rows::set_header(const std::string& source, std::vector<std::string> names) {
  const auto places = find_columns(source, names, columns_);
  header_ = std::move(names);
  setters_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i)
    setters_.push_back({places[i], columns_[i].from, columns_[i].reader, columns_[i].state});
}

bool csv_rows::store(csv_splitter& from, char* row) {
  if (!has_all_cells(from)) return false;
  const auto cells = from.cells();
  const auto ascii = from.ascii();
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
    refuse_cell(from, at, std::string{"was refused: "} + e.what(), words_.correct + ", or the function for this column");
    return false;
  }
  if (!reason.empty()) refuse_value(from, at, reason);
  return reason.empty();
}

bool csv_rows::has_all_cells(csv_splitter& from) {
  const auto found = from.cells().size(), wanted = header_.size();
  if (found == wanted) return true;
  if (!is_empty_line(from))
    refuse(
        from, "has " + plural(found, "cell") + ", " + words_.wanted + std::to_string(wanted),
        found > wanted ? "put a cell with a delimiter or a line end in quotes" : "write an empty cell for each that is missing");
  return false;
}

bad_row csv_rows::as_bad(csv_splitter& from, std::string_view reason) const {
  return {{}, words_.place + std::to_string(from.line()), shown_text(from.record()), std::string{reason}};
}

void csv_rows::refuse(csv_splitter& from, std::string_view reason, std::string_view help) {
  ++refused_;
  bad_.refuse(as_bad(from, reason), help);
}

void csv_rows::refuse_value(csv_splitter& from, std::size_t cell, std::string_view is_wrong) {
  refuse_cell(from, cell, std::string{is_wrong},
              from.cells()[cell].text.empty() ? "make the member a std::optional, which is null for an empty cell"
                                              : words_.correct + ", or read the column with a function, columns{{\"" +
                                                    header_[cell] + "\", &row::member, f}}");
}

void csv_rows::refuse_cell(csv_splitter& from, std::size_t cell, std::string reason, std::string_view help) {
  ++refused_;
  const auto place = words_.place + std::to_string(from.line()) + ", column '" + header_[cell] + '\'';
  bad_.refuse({{}, place, shown_text(from.cells()[cell].text), std::move(reason)}, help);
}

}  // namespace spillway::detail
