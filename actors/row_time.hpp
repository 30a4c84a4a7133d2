#pragma once
// Where the time of a row comes from, and where a live source begins.
#include "messages/time.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace spillway {

/// The time of a row: one of its members, as in `.time = &flight::when`, or a function of it. Empty: it is not known.
template <class T>
class row_time {
 public:
  row_time() = default;
  template <class F>
    requires std::is_invocable_r_v<timestamp, const F&, const T&>
  row_time(F f) : of_(std::move(f)) {}

  explicit operator bool() const noexcept { return static_cast<bool>(of_); }
  timestamp operator()(const T& row) const { return of_(row); }

 private:
  std::function<timestamp(const T&)> of_;
};

/// Where a source that never ends begins, at a fresh start.
struct start_point {
  enum class kind : std::uint8_t { beginning, end, time, after_history };
  kind is = kind::beginning;
  /// With `time`: rows before it are left out.
  timestamp at = min_time;
  /// With `after_history`: how much of the history's time is read again.
  std::chrono::microseconds overlap{0};

  /// The time before which rows are left out. `history_end` is the greatest time of the history, if it had a row.
  std::optional<timestamp> first_time(std::optional<timestamp> history_end) const;
};

/// At the oldest row there is, or behind the last one.
inline constexpr start_point at_beginning{};
inline constexpr start_point at_end{start_point::kind::end};

/// At the rows of time `t`.
constexpr start_point at_time(timestamp t) { return {start_point::kind::time, t}; }

/// At the greatest time of the history, `history.then(live)`, minus `overlap`: rows of the overlap are in both parts, so
/// `deduplicate_by` must follow `then`.
constexpr start_point after_history(std::chrono::microseconds overlap) {
  return {start_point::kind::after_history, min_time, overlap};
}

}  // namespace spillway
