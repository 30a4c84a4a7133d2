#include "actors/sources/generator.hpp"

#include "messages/errors.hpp"
#include "messages/text.hpp"

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

void check_generated(double rows_per_second, std::optional<std::uint64_t> count) {
  constexpr auto slowest = 1e-6, fastest = 1e12;
  // Written so that NaN is refused.
  if (rows_per_second != 0 && !(rows_per_second >= slowest && rows_per_second <= fastest))
    throw data_error("rows_per_second is " + text_of(rows_per_second) +
                     "\n  help: 0 makes rows as fast as they are taken; else it is from 1e-6 to 1e12");
  if (count && *count > std::numeric_limits<std::int64_t>::max())
    throw data_error("the count of rows is " + std::to_string(*count) +
                     ", which a negative number may have become\n  help: it is at most 9223372036854775807; "
                     "generate_forever() has no end");
}

number_range part_of(std::uint64_t count, const source_context& context) {
  const std::uint64_t each = count / context.parallelism, more = count % context.parallelism, subtask = context.subtask;
  return {subtask * each + std::min(subtask, more), 1, each + (subtask < more ? 1 : 0)};
}

}  // namespace spillway::detail
