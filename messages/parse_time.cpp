#include "messages/parse_time.hpp"

#include "messages/errors.hpp"

#include <algorithm>

namespace spillway {
namespace {

__extension__ typedef __int128 wide;

constexpr std::string_view leap_second = "is a leap second, which times here do not have";
constexpr std::string_view not_a_count = "is not a number of time units since 1970";
constexpr std::string_view no_such_day = "is not a time: there is no such day";
constexpr std::string_view no_such_time = "is not a time: there is no such hour, minute or second";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads text from its front; nothing is consumed by what fails.
struct scanner {
  std::string_view rest;

  bool take(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  bool next_is_digit() const { return !rest.empty() && is_digit(rest.front()); }

  /// Exactly `count` digits.
  template <class Int>
  bool digits(int count, Int& to) {
    if (rest.size() < static_cast<std::size_t>(count)) return false;
    Int x = 0;
    for (int i = 0; i < count; ++i) {
      if (!is_digit(rest[static_cast<std::size_t>(i)])) return false;
      x = x * 10 + (rest[static_cast<std::size_t>(i)] - '0');
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
    to = x;
    return true;
  }

  /// Z, +01:00, +0100 or +01, as minutes east of UTC.
  bool offset(int& minutes) {
    if (take('Z') || take('z')) {
      minutes = 0;
      return true;
    }
    const auto west = rest.starts_with('-');
    int h = 0, m = 0;
    if (!(take('-') || take('+')) || !digits(2, h)) return false;
    if ((take(':') || next_is_digit()) && !digits(2, m)) return false;
    if (h > 23 || m > 59) return false;
    minutes = (west ? -1 : 1) * (h * 60 + m);
    return true;
  }
};

/// What a clock and a calendar on a wall `east` minutes east of UTC show.
struct wall_time {
  std::int64_t year = 1970;
  int month = 1, day = 1, hour = 0, minute = 0, second = 0, east = 0;
  std::int64_t nanoseconds = 0;

  std::string_view to_utc(detail::calendar_time& to) const {
    if (!detail::day_exists(year, month, day)) return no_such_day;
    if (hour > 23 || minute > 59 || second > 60) return no_such_time;
    const auto seconds = hour * 3600 + minute * 60 + std::min(second, 59) - east * 60;
    const auto ahead = seconds < 0 ? -1 : seconds >= 86400 ? 1 : 0;
    const auto in_day = seconds - ahead * 86400;
    to.days = detail::days_of(year, month, day) + ahead;
    to.nanoseconds = in_day * std::int64_t{1'000'000'000} + nanoseconds;
    if (second < 60) return {};
    // Leap seconds are the last of a month in UTC.
    return in_day == 86399 && is_first_of_month(to.days + 1) ? leap_second : no_such_time;
  }

 private:
  static bool is_first_of_month(std::int64_t days) {
    std::string date;
    detail::append_date(date, days);
    return date.ends_with("-01");
  }
};

bool scan_date(scanner& in, wall_time& t) {
  const auto negative = in.rest.starts_with('-');
  if (negative || in.rest.starts_with('+')) {
    in.rest.remove_prefix(1);
    int count = 0;
    for (t.year = 0; count < 6 && in.next_is_digit(); ++count)
      t.year = t.year * 10 + (in.rest[0] - '0'), in.rest.remove_prefix(1);
    if (count < 4) return false;
    if (negative) t.year = -t.year;
  } else if (!in.digits(4, t.year)) {
    return false;
  }
  return in.take('-') && in.digits(2, t.month) && in.take('-') && in.digits(2, t.day);
}

bool scan_time_of_day(scanner& in, wall_time& t) {
  if (!in.digits(2, t.hour) || !in.take(':') || !in.digits(2, t.minute)) return false;
  if (!in.take(':')) return true;
  if (!in.digits(2, t.second)) return false;
  if (!in.take('.')) return true;
  if (!in.next_is_digit()) return false;
  for (std::int64_t unit = 100'000'000; in.next_is_digit(); unit /= 10) {
    t.nanoseconds += unit * (in.rest.front() - '0');
    in.rest.remove_prefix(1);
  }
  return true;
}

/// A time in ISO 8601, which may lack its offset if there is a zone.
std::string_view parse_in(std::string_view text, const zone* z, detail::calendar_time& to) noexcept {
  constexpr std::string_view other = "is not a time such as 2001-01-31T12:00:00Z";
  if (!text.empty() && text.find_first_not_of("0123456789.") == text.npos)
    return "is not a time: a number needs a unit, such as columns{{\"at\", &row::at, sw::unit::seconds}}";
  scanner in{text};
  wall_time t;
  if (!scan_date(in, t)) return other;
  if (in.rest.empty()) return "is a day, not a time: needs a time and an offset, such as T00:00:00Z";
  if (!(in.take('T') || in.take('t') || in.take(' ')) || !scan_time_of_day(in, t)) return other;
  if (!in.rest.empty()) return in.offset(t.east) && in.rest.empty() ? t.to_utc(to) : other;
  if (!z) return "is not a time: needs an offset such as Z, or a zone, such as columns{{\"at\", &row::at, sw::zone(\"+02:00\")}}";
  t.east = static_cast<int>(z->east().count());
  return t.to_utc(to);
}

std::string quoted(std::string_view text) { return '"' + std::string{text} + '"'; }

/// One `%` of a form; the reason why not, or empty.
std::string_view scan_directive(char directive, scanner& in, wall_time& t) {
  switch (directive) {
    case 'Y':
      return in.digits(4, t.year) ? "" : "%Y needs four digits";
    case 'm':
      return in.digits(2, t.month) ? "" : "%m needs two digits";
    case 'd':
      return in.digits(2, t.day) ? "" : "%d needs two digits";
    case 'H':
      return in.digits(2, t.hour) ? "" : "%H needs two digits";
    case 'M':
      return in.digits(2, t.minute) ? "" : "%M needs two digits";
    case 'S':
      return in.digits(2, t.second) ? "" : "%S needs two digits";
    case 'z':
      return in.offset(t.east) ? "" : "%z needs an offset such as Z or +01:00";
    case '%':
      return in.take('%') ? "" : "it has other text than the form";
  }
  throw pipeline_error{"parse_time knows %Y %m %d %H %M %S %z and %%, not %" + std::string(1, directive)};
}

std::string_view scan_form(std::string_view format, scanner& in, wall_time& t) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    std::string_view reason;
    if (format[i] == '%' && i + 1 < format.size())
      reason = scan_directive(format[++i], in, t);
    else if (!in.take(format[i]))
      reason = "it has other text than the form";
    if (!reason.empty()) return reason;
  }
  return in.rest.empty() ? "" : "it goes on behind its form";
}

}  // namespace

zone::zone(std::string_view offset) {
  scanner in{offset};
  int minutes = 0;
  if (!in.offset(minutes) || !in.rest.empty())
    throw pipeline_error{"a zone is a fixed distance from UTC such as Z or +02:00, not " + quoted(offset)};
  east_ = std::chrono::minutes{minutes};
}

timestamp parse_time(std::string_view format, std::string_view text, std::chrono::minutes zone) {
  wall_time t;
  t.east = static_cast<int>(zone.count());
  scanner in{text};
  if (const auto reason = scan_form(format, in, t); !reason.empty())
    throw data_error{quoted(text) + " is not a time of the form " + std::string{format} + ": " + std::string{reason}};
  detail::calendar_time utc;
  if (const auto reason = t.to_utc(utc); !reason.empty())
    throw data_error{quoted(text) + ' ' + std::string{reason} + " (form " + std::string{format} + ')'};
  return timestamp{std::chrono::microseconds{utc.days * 86'400'000'000 + utc.nanoseconds / 1000}};
}

namespace detail {

std::int64_t days_of(std::int64_t year, int month, int day) noexcept {
  year -= month <= 2 ? 1 : 0;
  const auto era = (year >= 0 ? year : year - 399) / 400;
  const auto year_of_era = year - era * 400;
  const auto day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

bool day_exists(std::int64_t year, int month, int day) noexcept {
  if (month < 1 || month > 12 || day < 1) return false;
  const auto leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const auto short_month = month == 4 || month == 6 || month == 9 || month == 11;
  return day <= (month == 2 ? 28 + leap : short_month ? 30 : 31);
}

std::string_view parse_calendar(std::string_view text, calendar_time& to) noexcept { return parse_in(text, nullptr, to); }

std::string_view parse_calendar(std::string_view text, zone z, calendar_time& to) noexcept { return parse_in(text, &z, to); }

std::string_view parse_calendar(std::string_view text, unit u, calendar_time& to) noexcept {
  constexpr wide day = 86'400'000'000'000;
  wide nanoseconds = 1;
  for (auto left = static_cast<int>(unit::nanoseconds) - static_cast<int>(u); left > 0; --left) nanoseconds *= 1000;
  scanner in{text};
  const auto negative = in.take('-');
  if (!in.next_is_digit()) return not_a_count;
  wide value = 0;
  for (; in.next_is_digit(); in.rest.remove_prefix(1)) {
    value = value * 10 + (in.rest.front() - '0');
    if (value > std::numeric_limits<std::int64_t>::max()) return "is out of range for a time";
  }
  value *= nanoseconds;
  auto beyond = false;
  if (in.take('.')) {
    if (!in.next_is_digit()) return not_a_count;
    for (; in.next_is_digit(); in.rest.remove_prefix(1)) {
      nanoseconds /= 10;
      value += nanoseconds * (in.rest.front() - '0');
      beyond = beyond || (nanoseconds == 0 && in.rest.front() != '0');
    }
  }
  if (!in.rest.empty()) return not_a_count;
  if (negative) value = -value - (beyond ? 1 : 0);
  const auto days = value / day - (value % day < 0 ? 1 : 0);
  to = {static_cast<std::int64_t>(days), static_cast<std::int64_t>(value - days * day)};
  return {};
}

std::string_view parse_date(std::string_view text, std::int64_t& days) noexcept {
  scanner in{text};
  wall_time t;
  if (!scan_date(in, t) || !in.rest.empty()) return "is not a date such as 2001-01-31";
  if (!day_exists(t.year, t.month, t.day)) return "is not a date: there is no such day";
  days = days_of(t.year, t.month, t.day);
  return {};
}

timestamp parse_epoch(std::string_view text, std::int64_t num, std::int64_t den) {
  scanner in{text};
  const auto negative = in.take('-');
  wide value = 0, scale = den;
  const auto whole = in.next_is_digit();
  for (; in.next_is_digit() && value < wide{1} << 80; in.rest.remove_prefix(1)) value = value * 10 + (in.rest[0] - '0');
  if (whole && in.take('.'))
    for (int left = 9; left > 0 && in.next_is_digit(); --left, in.rest.remove_prefix(1)) {
      value = value * 10 + (in.rest[0] - '0');
      scale *= 10;
    }
  if (!whole || !in.rest.empty() || text.ends_with('.'))
    throw data_error{quoted(text) + " is not a number of time units since 1970, with at most nine decimals"};
  const auto limit = wide{std::numeric_limits<std::int64_t>::max()} * scale / num;
  if (value > limit) throw data_error{quoted(text) + " is out of range for a time"};
  value *= num;
  const auto micros = negative ? -((value + scale - 1) / scale) : value / scale;
  return timestamp{std::chrono::microseconds{static_cast<std::int64_t>(micros)}};
}

}  // namespace detail
}  // namespace spillway
