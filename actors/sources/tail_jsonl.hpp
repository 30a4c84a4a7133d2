#pragma once
#include "actors/sources/json_shape.hpp"
#include "actors/sources/tail.hpp"
#include "actors/sources/tail_json.hpp"

namespace spillway {

/// The rows of a file of JSON lines that others append to: lines as `jsonl` has them, a file that is followed as by `csv_tail`.
template <class T>
struct jsonl_tail {
  static_assert(row_checked<T>);
  using row = T;
  static constexpr auto bounds = unbounded;
  static constexpr auto verb = "jsonl_tail";
  static constexpr bool blocking = true;
  static constexpr bool tells_backlog = true;
  static constexpr std::uint32_t max_parallelism = 1;

  std::string path;
  /// For fields that are not named like the members, or need a unit, a zone or a function.
  spillway::columns<T> columns{};
  bad_rows bad{};
  row_time<T> time{};
  start_point from = at_beginning;
  /// Bytes of one line.
  std::size_t max_record = 1024 * 1024;
  std::chrono::microseconds poll = std::chrono::milliseconds{50};
  backlog_bytes backlog{};

  void check() const {
    (void)detail::json_row_shape(columns);
    detail::check_tail(detail::options_of(*this), from, static_cast<bool>(time));
  }

  std::unique_ptr<source_reader<T>> open(const source_context& context) const {
    return detail::open_tail(*this, detail::json_records(path + ':', detail::json_row_shape(columns), max_record, *context.bad),
                             context);
  }
};

}  // namespace spillway
