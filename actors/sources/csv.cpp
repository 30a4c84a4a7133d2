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

csv_input::csv_input(csv_options options)
    : file_(options.path),
      splitter_(options.path, options.delimiter, options.max_record),
      chunk_(std::max<std::size_t>(1, options.chunk)) {
  if (!advance()) input_file::cannot_read(options.path, "it is empty", "the first line of a CSV file names its columns");
  for (const auto& c : cells()) header_.emplace_back(c.text);
}

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
    const auto found = cells();
    if (found.size() == header_.size()) return true;
    if (found.size() == 1 && found[0].text.empty() && !found[0].quoted) continue;
    splitter_.fail(plural(found.size(), "cell") + ", but the header has " + std::to_string(header_.size()),
                   found.size() > header_.size() ? "put a cell with a delimiter or a line end in quotes"
                                                 : "write an empty cell for each that is missing");
  }
  return false;
}

void csv_input::refuse(std::size_t cell, std::string_view is_wrong) const {
  const auto& c = cells()[cell];
  const auto what = "column '" + header_[cell] + "': " + shown(c.text) + ' ' + std::string{is_wrong};
  if (c.text.empty()) splitter_.fail(what, "make the member a std::optional, which is null for an empty cell");
  splitter_.fail(what,
                 "correct the file, or read the column with a function, columns{{\"" + header_[cell] + "\", &row::member, f}}");
}

void csv_input::refuse(std::size_t cell, const std::exception& why) const {
  splitter_.fail("column '" + header_[cell] + "': " + shown(cells()[cell].text) + " was refused: " + why.what(),
                 "correct the file, or the function for this column");
}

}  // namespace spillway::detail
