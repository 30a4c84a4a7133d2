#pragma once
// Rows as text: for messages, tables and CSV cells. `messages/parse.hpp` is the way back.
#include "messages/record.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace spillway {
namespace detail {

template <class E>
concept described_enum = std::is_enum_v<E> && boost::describe::has_describe_enumerators<E>::value;

void append_number(std::string& to, std::int64_t x);
void append_number(std::string& to, std::uint64_t x);
void append_number(std::string& to, float x);
void append_number(std::string& to, double x);
void append_number(std::string& to, long double x);

/// Appends text from outside as it may stand in one line: control characters as \n, \t or \x1b.
void append_visible(std::string& to, std::string_view text);

/// A moment as the proleptic Gregorian calendar counts: days since 1970-01-01 and the time since that day began.
struct calendar_time {
  std::int64_t days = 0;
  std::int64_t nanoseconds = 0;
};

void append_date(std::string& to, std::int64_t days);
void append_time(std::string& to, calendar_time t);

/// The unit as it is written after a count: `min`, or `[2/3]s` for a period without a name.
std::string unit_suffix(std::intmax_t num, std::intmax_t den);

template <class Period>
inline constexpr bool whole_days = std::ratio_greater_equal_v<Period, std::ratio<86400>>;

/// Ticks a day, as a fraction.
template <class Period>
using ticks_per_day = std::ratio_divide<std::ratio<86400>, Period>;

template <class Duration>
calendar_time calendar_of(std::chrono::sys_time<Duration> time) {
  using per_day = ticks_per_day<typename Duration::period>;
  if constexpr (std::is_floating_point_v<typename Duration::rep>) {
    return calendar_of(std::chrono::floor<std::chrono::microseconds>(time));
  } else if constexpr (per_day::num == 1) {
    return {static_cast<std::int64_t>(time.time_since_epoch().count()) * per_day::den, 0};
  } else if constexpr (per_day::den == 1 && std::ratio_greater_equal_v<typename Duration::period, std::nano>) {
    const auto count = static_cast<std::int64_t>(time.time_since_epoch().count());
    const auto rest = count % per_day::num;
    const auto ahead = rest < 0 ? 1 : 0;
    return {count / per_day::num - ahead, (rest + ahead * per_day::num) * (86'400'000'000'000 / per_day::num)};
  } else {
    return calendar_of(std::chrono::floor<std::chrono::nanoseconds>(time));
  }
}

}  // namespace detail

/// Appends `value` as text: numbers in the shortest form that reads back equal, times as ISO 8601 in UTC, durations as a count
/// with its unit, described enums by name. Null is nothing, or `null` among several values. Those are written
/// `{origin: MCI, delay: 14}` (described structs), `(a, b)` (tuples) and `[a, b]` (lists). Strings are never quoted.
template <class T>
void append_text(std::string& to, const T& value);

namespace detail {

template <class E>
void append_enum(std::string& to, E value) {
  if constexpr (described_enum<E>) {
    bool found = false;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto d) {
      if (!found && d.value == value) {
        to += d.name;
        found = true;
      }
    });
    if (found) return;
  }
  append_text(to, static_cast<std::underlying_type_t<E>>(value));
}

template <class Clock, class Duration>
void append_time_point(std::string& to, std::chrono::time_point<Clock, Duration> time) {
  if constexpr (!std::is_same_v<Clock, std::chrono::system_clock>)
    append_text(to, time.time_since_epoch());
  else if constexpr (whole_days<typename Duration::period>)
    append_date(to, calendar_of(time).days);
  else
    append_time(to, calendar_of(time));
}

/// One value of several.
template <class E>
void append_part(std::string& to, bool& first, std::string_view name, const E& e) {
  if (!first) to += ", ";
  first = false;
  if (!name.empty()) (to += name) += ": ";
  if constexpr (optional_like<E>)
    e ? append_text(to, *e) : void(to += "null");
  else
    append_text(to, e);
}

}  // namespace detail

template <class T>
void append_text(std::string& to, const T& value) {
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> || std::is_same_v<T, char>) {
    to += value;
  } else if constexpr (std::is_same_v<T, bool>) {
    to += value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    detail::append_number(to, value);
  } else if constexpr (std::is_integral_v<T>) {
    detail::append_number(to, static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value));
  } else if constexpr (std::is_enum_v<T>) {
    detail::append_enum(to, value);
  } else if constexpr (detail::is_duration<T>) {
    append_text(to, value.count());
    to += detail::unit_suffix(T::period::num, T::period::den);
  } else if constexpr (detail::is_time_point<T>) {
    detail::append_time_point(to, value);
  } else if constexpr (detail::optional_like<T>) {
    if (value) append_text(to, *value);
  } else if constexpr (detail::list_like<T>) {
    to += '[';
    for (bool first = true; const auto& e : value) detail::append_part(to, first, {}, e);
    to += ']';
  } else if constexpr (detail::tuple_like<T>) {
    to += '(';
    std::apply([&, first = true](const auto&... e) mutable { (detail::append_part(to, first, {}, e), ...); }, value);
    to += ')';
  } else if constexpr (detail::described<T>) {
    to += '{';
    for_each_member(value, [&, first = true](std::string_view name, const auto& member) mutable {
      detail::append_part(to, first, name, member);
    });
    to += '}';
  } else {
    to += '<' + std::to_string(sizeof(T)) + " bytes>";
  }
}

/// `value` as text, see `append_text`.
template <class T>
std::string text_of(const T& value) {
  std::string text;
  append_text(text, value);
  return text;
}

}  // namespace spillway
