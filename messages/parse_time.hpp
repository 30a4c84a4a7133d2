#pragma once
// Text as times. Text needs an offset or a declared zone, numbers a declared unit.
#include "messages/text.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <limits>
#include <string_view>

namespace spillway {

/// The time that `text` gives in the form `format`: `%Y` (four digits), `%m %d %H %M %S` (two each), `%z` (`Z`, `+01:00`, `+0100`
/// or `+01`), `%%`; all else stands for itself. Without `%z` it is local time of `zone`, given as its distance east of UTC.
/// Throws `data_error` naming text and form, also for a lost leading zero and for a leap second; `pipeline_error` for a form with
/// another `%`.
timestamp parse_time(std::string_view format, std::string_view text, std::chrono::minutes zone = std::chrono::minutes{0});

/// What a column of numbers counts since 1970-01-01T00:00:00Z; decimal fractions are allowed.
enum class unit : std::uint8_t { seconds, milliseconds, microseconds, nanoseconds };

/// A fixed distance from UTC, for times that are written without one.
class zone {
 public:
  /// `Z`, `+02:00`, `-0330` or `+02`. Throws `pipeline_error` for anything else.
  explicit zone(std::string_view offset);
  explicit constexpr zone(std::chrono::minutes east) noexcept : east_(east) {}

  constexpr std::chrono::minutes east() const noexcept { return east_; }

 private:
  std::chrono::minutes east_{0};
};

namespace detail {

/// Days since 1970-01-01.
std::int64_t days_of(std::int64_t year, int month, int day) noexcept;
bool day_exists(std::int64_t year, int month, int day) noexcept;

/// The reason why `text` is not a time in ISO 8601 with an offset, or empty.
std::string_view parse_calendar(std::string_view text, calendar_time& to) noexcept;
/// The same where the offset may be missing, and for a number of units, whose fractions beyond nanoseconds are rounded down.
std::string_view parse_calendar(std::string_view text, zone z, calendar_time& to) noexcept;
std::string_view parse_calendar(std::string_view text, unit u, calendar_time& to) noexcept;
std::string_view parse_date(std::string_view text, std::int64_t& days) noexcept;

/// `text` is a decimal number of units of `num / den` microseconds.
timestamp parse_epoch(std::string_view text, std::int64_t num, std::int64_t den);

/// Stores a moment in the units of `time`, a fraction of a second rounded down; or gives the reason why that cannot be.
template <class Duration>
std::string_view time_from(calendar_time t, std::chrono::sys_time<Duration>& time) {
  using rep = typename Duration::rep;
  using per_day = ticks_per_day<typename Duration::period>;
  static_assert(std::ratio_greater_equal_v<typename Duration::period, std::nano> && (per_day::num == 1 || per_day::den == 1),
                "times in this unit cannot be read: use a unit that divides a day, at least nanoseconds");
  if constexpr (std::is_floating_point_v<rep>) {
    const auto seconds = static_cast<rep>(t.days) * 86400 + static_cast<rep>(t.nanoseconds) / 1'000'000'000;
    time = std::chrono::sys_time<Duration>{std::chrono::duration<rep>{seconds}};
    return {};
  } else {
    std::int64_t count;
    if constexpr (per_day::num == 1) {
      if (t.days % per_day::den != 0) return "is not at the start of a unit of its column";
      count = t.days / per_day::den;
    } else {
      constexpr auto tick = 86'400'000'000'000 / per_day::num;
      if (tick > 1'000'000'000 && t.nanoseconds % tick != 0) return "is finer than the unit of its column";
      // Before 1970 from the end of the day: the beginning of the first day may be out of range.
      const auto back = t.days < 0 ? 1 : 0;
      if (__builtin_mul_overflow(t.days + back, std::int64_t{per_day::num}, &count) ||
          __builtin_add_overflow(count, t.nanoseconds / tick - back * per_day::num, &count))
        return "is out of range for a time of its column's unit";
    }
    if (!std::in_range<rep>(count)) return "is out of range for a time of its column's unit";
    time = std::chrono::sys_time<Duration>{Duration{static_cast<rep>(count)}};
    return {};
  }
}

template <class Duration>
std::string_view parse_time_point(std::string_view text, std::chrono::sys_time<Duration>& to) {
  calendar_time t;
  std::string_view reason;
  if constexpr (whole_days<typename Duration::period>)
    reason = parse_date(text, t.days);
  else
    reason = parse_calendar(text, t);
  return reason.empty() ? time_from(t, to) : reason;
}

template <class Duration, class How>
std::string_view parse_time_point(std::string_view text, How how, std::chrono::sys_time<Duration>& to) {
  calendar_time t;
  const auto reason = parse_calendar(text, how, t);
  return reason.empty() ? time_from(t, to) : reason;
}

}  // namespace detail

/// The time that `text` gives as a number of `Unit`s since 1970, such as `epoch_time<std::chrono::seconds>`; a decimal fraction
/// is allowed, digits beyond microseconds are rounded down. Throws `data_error`.
template <class Unit>
timestamp epoch_time(std::string_view text) {
  using unit = std::ratio_divide<typename Unit::period, std::micro>;
  return detail::parse_epoch(text, unit::num, unit::den);
}

}  // namespace spillway
