#include "actors/sources/generator.hpp"

#include <cmath>

namespace spillway::detail {

using namespace std::chrono;

steady_clock::time_point pace::now() const { return clock_ ? clock_->now() : steady_clock::now(); }

std::uint64_t pace::due() {
  if (!started_) {
    start_ = now();
    started_ = true;
  }
  const auto rows = duration<double>{now() - start_}.count() * rate_;
  // A billionth of a row more, as the time a row is due may be no binary fraction.
  return first_ + static_cast<std::uint64_t>(std::max(0.0, rows) + 1e-9) + 1;
}

microseconds pace::until(std::uint64_t n) const {
  constexpr auto longest = 9e9;
  const auto due = std::llround(std::min(static_cast<double>(n - first_) / rate_, longest) * 1e9);
  return std::max(microseconds{100}, ceil<microseconds>(nanoseconds{due} - (now() - start_)));
}

number_range part_of(std::uint64_t count, const source_context& context) {
  const std::uint64_t each = count / context.parallelism, more = count % context.parallelism, subtask = context.subtask;
  return {subtask * each + std::min(subtask, more), 1, each + (subtask < more ? 1 : 0)};
}

}  // namespace spillway::detail
