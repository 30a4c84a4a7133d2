#pragma once
// Text as values, strictly: nothing is trimmed, guessed, clamped or wrapped. `messages/text.hpp` is the way back.
#include "messages/parse_time.hpp"
#include "messages/text.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace spillway {

/// Stores what `text` says in `to`; or gives the reason why it is no `T`, as in "is not a whole number". Reasons are static text.
/// Numbers have no blanks, no `+`, whole ones no exponent, none is hexadecimal; `bool` is true or false; times are ISO 8601 with
/// an offset; a duration is a count, with or without its own unit; a described enum is the name of a value.
template <class T>
[[nodiscard]] std::string_view parse_text(std::string_view text, T& to);

/// One field of a delimited line.
struct text_cell {
  std::string_view text;
  bool quoted = false;
};

/// What a row can have as one column: a scalar, a string, or one of them that may be null.
template <class T>
inline constexpr bool is_cell = detail::scalar<T> || std::is_same_v<T, std::string>;
template <class T>
inline constexpr bool is_cell<std::optional<T>> = is_cell<T>;

namespace detail {

enum class parsed : std::uint8_t { ok, malformed, out_of_range };

parsed parse_number(std::string_view text, std::int64_t& to) noexcept;
parsed parse_number(std::string_view text, std::uint64_t& to) noexcept;
parsed parse_number(std::string_view text, float& to) noexcept;
parsed parse_number(std::string_view text, double& to) noexcept;
parsed parse_number(std::string_view text, long double& to) noexcept;

template <class T>
constexpr std::string_view out_of_range() {
  if constexpr (std::is_floating_point_v<T>) return "is out of range for a floating point number";
  constexpr auto is_signed = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 1:
      return is_signed ? "is out of range for int8" : "is out of range for uint8";
    case 2:
      return is_signed ? "is out of range for int16" : "is out of range for uint16";
    case 4:
      return is_signed ? "is out of range for int32" : "is out of range for uint32";
    default:
      return is_signed ? "is out of range for int64" : "is out of range for uint64";
  }
}

template <class T>
std::string_view parse_arithmetic(std::string_view text, T& to) {
  using integer = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  std::conditional_t<std::is_floating_point_v<T>, T, integer> x;
  const auto found = parse_number(text, x);
  if (found == parsed::malformed) return std::is_floating_point_v<T> ? "is not a number" : "is not a whole number";
  if (found == parsed::out_of_range) return out_of_range<T>();
  if constexpr (std::is_integral_v<T>)
    if (x < integer{std::numeric_limits<T>::min()} || x > integer{std::numeric_limits<T>::max()}) return out_of_range<T>();
  to = static_cast<T>(x);
  return {};
}

template <described_enum E>
const std::string& not_one_of() {
  static const std::string reason = [] {
    std::string text = "is not one of";
    char before = ' ';
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto d) {
      ((text += before) += before == ' ' ? "" : " ") += d.name;
      before = ',';
    });
    return text;
  }();
  return reason;
}

template <class E>
std::string_view parse_enum(std::string_view text, E& to) {
  if constexpr (described_enum<E>) {
    bool found = false;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto d) {
      if (!found && text == d.name) {
        to = d.value;
        found = true;
      }
    });
    if (found) return {};
  }
  std::underlying_type_t<E> number;
  const auto reason = parse_text(text, number);
  if (reason.empty()) to = static_cast<E>(number);
  if constexpr (described_enum<E>)
    if (!reason.empty()) return not_one_of<E>();
  return reason;
}

template <class Rep, class Period>
std::string_view parse_duration(std::string_view text, std::chrono::duration<Rep, Period>& to) {
  const auto unit = unit_suffix(Period::num, Period::den);
  if (text.ends_with(unit)) text.remove_suffix(unit.size());
  Rep count;
  const auto reason = parse_text(text, count);
  if (reason.empty()) to = std::chrono::duration<Rep, Period>{count};
  return reason;
}

}  // namespace detail

template <class T>
std::string_view parse_text(std::string_view text, T& to) {
  static_assert(is_cell<T> && !detail::optional_like<T>, "only a scalar or a string can be read from one piece of text");
  if constexpr (std::is_same_v<T, std::string>) {
    to.assign(text);
  } else if constexpr (std::is_same_v<T, char>) {
    if (text.size() != 1) return "is not a single character";
    to = text.front();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text != "true" && text != "false") return "is not true or false";
    to = text == "true";
  } else if constexpr (std::is_arithmetic_v<T>) {
    return detail::parse_arithmetic(text, to);
  } else if constexpr (std::is_enum_v<T>) {
    return detail::parse_enum(text, to);
  } else if constexpr (detail::is_duration<T>) {
    return detail::parse_duration(text, to);
  } else if constexpr (std::is_same_v<typename T::clock, std::chrono::system_clock>) {
    return detail::parse_time_point(text, to);
  } else {
    typename T::duration since{};
    const auto reason = detail::parse_duration(text, since);
    if (reason.empty()) to = T{since};
    return reason;
  }
  return {};
}

/// As `parse_text`; an unquoted empty cell is null for an optional, a quoted one is the text "".
template <class T>
[[nodiscard]] std::string_view parse_cell(const text_cell& cell, T& to) {
  if constexpr (detail::optional_like<T>) {
    if (cell.text.empty() && !cell.quoted) {
      to.reset();
      return {};
    }
    if (!to) to.emplace();
    return parse_cell(text_cell{cell.text, true}, *to);
  } else {
    return parse_text(cell.text, to);
  }
}

}  // namespace spillway
