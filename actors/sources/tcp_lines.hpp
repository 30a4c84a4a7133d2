#pragma once
// What the lines are that peers send.
#include "actors/sources/json_shape.hpp"
#include "actors/sources/tail_csv.hpp"
#include "actors/sources/tail_json.hpp"
#include "actors/sources/tail_lines.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

/// A record stream for one peer; the text stands before the numbers of lines.
using record_maker = std::function<std::unique_ptr<record_stream>(std::string place, bad_row_port& bad)>;

[[noreturn]] void no_line_format();

}  // namespace detail

/// CSV without a header.
template <class T>
struct csv_lines {
  using row = T;

  /// The columns in their order; empty: those of the members, in theirs.
  std::vector<std::string> names{};
  /// For columns that are not named like the members, or need a unit, a zone or a function of their text.
  spillway::columns<T> columns{};
  char delimiter = ',';
  /// Bytes of one record.
  std::size_t max_record = 1024 * 1024;

  std::unique_ptr<detail::record_stream> records(std::string place, bad_row_port& bad) const {
    return detail::csv_records({std::move(place), delimiter, max_record, false, names}, columns.bindings(), bad);
  }
};

/// A JSON object in each line, read as by `jsonl`.
template <class T>
struct json_lines {
  using row = T;

  /// For fields that are not named like the members, or need a unit, a zone or a function.
  spillway::columns<T> columns{};
  /// Bytes of one line.
  std::size_t max_record = 1024 * 1024;

  std::unique_ptr<detail::record_stream> records(std::string place, bad_row_port& bad) const {
    return detail::json_records(std::move(place), detail::json_row_shape(columns), max_record, bad);
  }
};

/// Each line is a row of type `std::string`.
struct text_lines {
  using row = std::string;

  /// Bytes of one line.
  std::size_t max_record = 1024 * 1024;

  std::unique_ptr<detail::record_stream> records(std::string place, bad_row_port& bad) const {
    return detail::text_records(std::move(place), max_record, bad);
  }
};

/// What lines are that rows of type `T` are read from: `csv_lines<T>`, `json_lines<T>`, `text_lines`.
template <class T>
class line_format {
  static_assert(row_checked<T>);

 public:
  line_format() {
    if constexpr (std::is_same_v<T, std::string>) *this = text_lines{};
  }
  template <class Lines>
    requires std::is_same_v<typename Lines::row, T>
  line_format(Lines lines)
      : make_([lines = std::move(lines)](std::string place, bad_row_port& bad) { return lines.records(std::move(place), bad); }) {}

  /// Throws `pipeline_error` if no format was given and rows are not texts, or the one that was cannot be.
  void check() const {
    if (!make_) detail::no_line_format();
    (void)make_({}, bad_row_port::strict());
  }

  const detail::record_maker& maker() const noexcept { return make_; }

 private:
  detail::record_maker make_;
};

}  // namespace spillway
