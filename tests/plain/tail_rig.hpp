#pragma once
// Files that grow, and readers that follow them.
#include "actors/source.hpp"
#include "messages/errors.hpp"
#include "tests/plain/cases.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spillway::tests {

inline void append(const std::string& path, std::string_view text) {
  std::ofstream{path, std::ios::binary | std::ios::app} << text;
}

inline void write_anew(const std::string& path, std::string_view text) {
  std::ofstream{path, std::ios::binary | std::ios::trunc} << text;
}

/// Keeps bad rows, as `place: text reason`, and notes.
class kept_bad_rows final : public bad_row_port {
 public:
  void refuse(bad_row row, std::string_view) override { rows.push_back(row.place + ": " + row.text + ' ' + row.reason); }
  void note(std::string text) override { notes.push_back(std::move(text)); }
  std::vector<std::string> rows, notes;
};

/// A reader of a source that never ends, and what it gave.
template <class Source>
class follower {
 public:
  using row = typename Source::row;

  explicit follower(const Source& source, bool strict = false, std::optional<timestamp> history_end = {})
      : reader(source.open({.step = "tail", .bad = strict ? &bad_row_port::strict() : &bad, .history_end = history_end})) {}

  read_result::kind step() {
    batch_of<row> batch;
    const auto result = reader->read(batch);
    rows.insert(rows.end(), batch.rows().begin(), batch.rows().end());
    return result.state;
  }

  /// Reads until there is nothing, at two looks.
  std::vector<row>& settle() {
    for (int idle = 0; idle < 2;) idle = step() == read_result::kind::wait ? idle + 1 : 0;
    return rows;
  }

  kept_bad_rows bad;
  std::unique_ptr<source_reader<row>> reader;
  std::vector<row> rows;
};

}  // namespace spillway::tests
