#include "actors/sources/csv.hpp"

#include <algorithm>

namespace spillway::detail {
namespace {

/// A cell as it may stand in a message: in quotes, in one line, not long.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 80;
  std::string out = "\"";
  append_visible(out, text.substr(0, most));
  return out + (text.size() > most ? "…\"" : "\"");
}

std::string plural(std::size_t n, const char* thing) { return std::to_string(n) + ' ' + thing + (n == 1 ? "" : "s"); }

}  // namespace

struct csv_input::setter {
  std::size_t cell;
  std::size_t at;
  cell_store store;
  std::shared_ptr<const void> state;
};

csv_input::csv_input(csv_options options, std::span<const column_binding> columns)
    : file_(options.path),
      splitter_(options.path, options.delimiter, options.max_record),
      chunk_(std::max<std::size_t>(1, options.chunk)) {
  if (!advance()) input_file::cannot_read(options.path, "it is empty", "the first line of a CSV file names its columns");
  for (const auto& c : splitter_.cells()) header_.emplace_back(c.text);
  const auto places = find_columns(options.path, header_, columns);
  for (std::size_t i = 0; i < columns.size(); ++i)
    setters_.push_back({places[i], columns[i].from, columns[i].store, columns[i].state});
}

csv_input::~csv_input() = default;

bool csv_input::read(void* row) {
  if (!next()) return false;
  store(static_cast<char*>(row));
  return true;
}

read_progress csv_input::progress() const { return {splitter_.offset(), file_.size()}; }

bool csv_input::advance() {
  for (;;) {
    switch (splitter_.next()) {
      case csv_splitter::found::record:
        return true;
      case csv_splitter::found::end:
        return false;
      case csv_splitter::found::needs_bytes:
        break;
    }
    // At least as much again, so that a long record is not looked at many times.
    const auto n = std::max(chunk_, splitter_.pending());
    const auto got = file_.read(splitter_.room(n), n);
    got == 0 ? splitter_.ended() : splitter_.added(got);
  }
}

bool csv_input::next() {
  while (advance()) {
    const auto found = splitter_.cells();
    if (found.size() == header_.size()) return true;
    if (found.size() == 1 && found[0].text.empty() && !found[0].quoted) continue;
    splitter_.fail(plural(found.size(), "cell") + ", but the header has " + std::to_string(header_.size()),
                   found.size() > header_.size() ? "put a cell with a delimiter or a line end in quotes"
                                                 : "write an empty cell for each that is missing");
  }
  return false;
}

void csv_input::store(char* row) {
  const auto cells = splitter_.cells();
  std::size_t at = 0;
  std::string_view reason;
  try {
    for (const auto& s : setters_) {
      at = s.cell;
      reason = s.store(s.state.get(), cells[at], row + s.at);
      if (!reason.empty()) break;
    }
  } catch (const std::exception& e) {
    refuse(at, e);
  }
  if (!reason.empty()) refuse(at, reason);
}

void csv_input::refuse(std::size_t cell, std::string_view is_wrong) const {
  const auto& c = splitter_.cells()[cell];
  const auto what = "column '" + header_[cell] + "': " + shown(c.text) + ' ' + std::string{is_wrong};
  if (c.text.empty()) splitter_.fail(what, "make the member a std::optional, which is null for an empty cell");
  splitter_.fail(what,
                 "correct the file, or read the column with a function, columns{{\"" + header_[cell] + "\", &row::member, f}}");
}

void csv_input::refuse(std::size_t cell, const std::exception& why) const {
  splitter_.fail("column '" + header_[cell] + "': " + shown(splitter_.cells()[cell].text) + " was refused: " + why.what(),
                 "correct the file, or the function for this column");
}

void check_csv(const csv_options& options, std::span<const column_binding> columns) {
  if (check_input_file(options.path)) (void)csv_input{options, columns};
}

}  // namespace spillway::detail
