#pragma once
// The parameters of a program: what it was given as `--name value`.
#include "messages/errors.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace spillway {

/// As written: `--name value`, `--name=value`, or `--name` alone, which is true for a bool and an error for all others.
struct given_parameter {
  std::string name;
  std::optional<std::string> value;
};

/// A parameter that the program reads, for its help.
struct parameter_use {
  std::string name;
  /// What its value looks like: TEXT, N, X, DURATION or true|false.
  std::string kind;
  /// The text of its default.
  std::string fallback;
  std::string help;
  bool required = false;
};

/// A required parameter was not given.
class missing_parameter : public pipeline_error {
 public:
  using pipeline_error::pipeline_error;
};

/// The parameters of a program. What is read is recorded, so that it can be shown as help and a misspelt one be told.
///
/// Threads: used by one thread at a time, while the pipeline is composed.
class params {
 public:
  params() = default;

  /// Of several values for one name the last counts.
  explicit params(std::vector<given_parameter> given) : given_(std::move(given)) {}

  /// Nothing was given, yet nothing is missing: required parameters are "".
  static params blank();

  /// A required parameter. Throws `missing_parameter`. The reference lives as long as this object.
  const std::string& operator[](std::string_view name) const;

  /// A parameter with a default, of the default's type: a text, a bool, a number or a duration, which is written with its unit,
  /// as in 30min, 5s or 100ms. Throws `pipeline_error` naming the parameter, its text and what is wanted.
  template <class T>
  T get(std::string_view name, T fallback, std::string_view help = {}) const;
  std::string get(std::string_view name, const char* fallback, std::string_view help = {}) const;

  /// All that were read, in the order in which they were read first.
  const std::vector<parameter_use>& uses() const noexcept { return uses_; }

  const std::vector<given_parameter>& given() const noexcept { return given_; }

 private:
  const std::string* find(parameter_use use) const;
  std::string text(std::string_view name, const std::string& fallback, std::string_view help) const;
  bool flag(std::string_view name, bool fallback, std::string_view help) const;
  double number(std::string_view name, double fallback, std::string_view help) const;
  template <class Int>
  Int whole(std::string_view name, Int fallback, std::string_view help, Int least, Int most) const;
  std::chrono::nanoseconds span(std::string_view name, std::chrono::nanoseconds fallback, std::string_view help) const;
  [[noreturn]] void refuse(std::string_view name, std::string_view text, std::string_view reason) const;

  std::vector<given_parameter> given_;
  bool blank_ = false;
  mutable std::vector<parameter_use> uses_;
};

namespace detail {

/// Stores what a text such as 100ms, 5s, 30min, 24h or 2d says; or gives the reason why it is no duration.
std::string_view parse_with_unit(std::string_view text, std::chrono::nanoseconds& to);

/// The other way: a count of the greatest unit that divides it.
std::string text_with_unit(std::chrono::nanoseconds d);

template <class T>
inline constexpr bool is_span = false;
template <class Rep, class Period>
inline constexpr bool is_span<std::chrono::duration<Rep, Period>> = true;

}  // namespace detail

template <class T>
T params::get(std::string_view name, T fallback, std::string_view help) const {
  if constexpr (std::is_same_v<T, std::string>) {
    return text(name, fallback, help);
  } else if constexpr (std::is_same_v<T, bool>) {
    return flag(name, fallback, help);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(number(name, static_cast<double>(fallback), help));
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char>) {
    using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    using limits = std::numeric_limits<T>;
    return static_cast<T>(whole<wide>(name, fallback, help, limits::min(), limits::max()));
  } else if constexpr (detail::is_span<T>) {
    const auto exact = span(name, std::chrono::duration_cast<std::chrono::nanoseconds>(fallback), help);
    const auto d = std::chrono::duration_cast<T>(exact);
    if constexpr (std::is_integral_v<typename T::rep>)
      if (d != exact) refuse(name, detail::text_with_unit(exact), "is not a multiple of " + detail::text_with_unit(T{1}));
    return d;
  } else {
    static_assert(std::is_same_v<T, std::string>, "get() needs a text, a bool, a number or a duration as the default");
  }
}

}  // namespace spillway
