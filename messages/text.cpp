#include "messages/text.hpp"

#include <charconv>
#include <cmath>

namespace spillway::detail {
namespace {

template <class... Options>
void append_chars(std::string& to, Options... options) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, options...).ptr;
  to.append(text, end);
}

/// Plain digits where a person would write them, an exponent elsewhere; both read back equal.
template <class F>
void append_float(std::string& to, F x) {
  const auto size = std::fabs(x);
  if (x != x)
    to += "nan";
  else if (x == 0 || (size >= F(1e-5) && size < F(1e15)))
    append_chars(to, x, std::chars_format::fixed);
  else
    append_chars(to, x);
}

void append_padded(std::string& to, std::int64_t x, std::size_t width) {
  const auto digits = std::to_string(x);
  if (digits.size() < width) to.append(width - digits.size(), '0');
  to += digits;
}

struct date {
  std::int64_t year, month, day;
};

/// `std::chrono::year_month_day` ends at year 32767; a timestamp does not. Howard Hinnant's civil_from_days.
date date_of(std::int64_t days) {
  days += 719468;
  const auto era = (days >= 0 ? days : days - 146096) / 146097;
  const auto day_of_era = days - era * 146097;
  const auto year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const auto day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const auto month = (5 * day_of_year + 2) / 153;
  const auto day = day_of_year - (153 * month + 2) / 5 + 1;
  return {year_of_era + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day};
}

}  // namespace

void append_number(std::string& to, std::int64_t x) { append_chars(to, x); }
void append_number(std::string& to, std::uint64_t x) { append_chars(to, x); }
void append_number(std::string& to, float x) { append_float(to, x); }
void append_number(std::string& to, double x) { append_float(to, x); }
void append_number(std::string& to, long double x) { append_float(to, x); }

void append_visible(std::string& to, std::string_view text) {
  constexpr auto digits = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte != 127)
      to += c;
    else if (c == '\n')
      to += "\\n";
    else if (c == '\r')
      to += "\\r";
    else if (c == '\t')
      to += "\\t";
    else
      (to += "\\x") += {digits[byte / 16], digits[byte % 16]};
  }
}

void append_date(std::string& to, std::int64_t days) {
  const auto d = date_of(days);
  if (d.year < 0) to += '-';
  if (d.year > 9999) to += '+';
  append_padded(to, d.year < 0 ? -d.year : d.year, 4);
  to += '-';
  append_padded(to, d.month, 2);
  to += '-';
  append_padded(to, d.day, 2);
}

void append_time(std::string& to, calendar_time t) {
  append_date(to, t.days);
  const auto seconds = t.nanoseconds / 1'000'000'000;
  const auto fraction = t.nanoseconds % 1'000'000'000;
  to += 'T';
  append_padded(to, seconds / 3600, 2);
  to += ':';
  append_padded(to, seconds / 60 % 60, 2);
  to += ':';
  append_padded(to, seconds % 60, 2);
  if (fraction != 0) {
    to += '.';
    if (fraction % 1'000'000 == 0)
      append_padded(to, fraction / 1'000'000, 3);
    else if (fraction % 1000 == 0)
      append_padded(to, fraction / 1000, 6);
    else
      append_padded(to, fraction, 9);
  }
  to += 'Z';
}

std::string unit_suffix(std::intmax_t num, std::intmax_t den) {
  if (num == 1) {
    switch (den) {
      case 1:
        return "s";
      case 1'000:
        return "ms";
      case 1'000'000:
        return "us";
      case 1'000'000'000:
        return "ns";
    }
  }
  if (den == 1) {
    switch (num) {
      case 60:
        return "min";
      case 3600:
        return "h";
      case 86400:
        return "d";
    }
    return '[' + std::to_string(num) + "]s";
  }
  return '[' + std::to_string(num) + '/' + std::to_string(den) + "]s";
}

}  // namespace spillway::detail
