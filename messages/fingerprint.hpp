#pragma once
// Row types as the codec sees them: which values are copied whole, and what a type looks like in bytes, as a number.
#include "messages/record.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <typeinfo>
#include <utility>

namespace spillway {

namespace detail {

/// True for values whose bytes are all data and all valid: copied whole. A bool is not: a byte 7 from outside would be no bool.
template <class T>
consteval bool copied_whole() {
  if constexpr (std::is_enum_v<T>) {
    static_assert(
        requires { T{0}; }, "an enum in a row needs an underlying type (`enum colour : int`), else not every number is one");
    return copied_whole<std::underlying_type_t<T>>();
  } else if constexpr (std::is_arithmetic_v<T>) {
    static_assert(!std::is_same_v<T, long double>, "a long double has no bytes that another machine reads: use double in rows");
    return !std::is_same_v<T, bool>;
  } else if constexpr (is_duration<T>) {
    return copied_whole<typename T::rep>();
  } else if constexpr (is_time_point<T>) {
    return copied_whole<typename T::duration>();
  } else if constexpr (described<T> && without_gaps<T>()) {
    bool whole = true;
    boost::mp11::mp_for_each<members_of<T>>(
        [&](auto d) { whole = whole && copied_whole<std::remove_cvref_t<decltype(std::declval<T&>().*d.pointer)>>(); });
    return whole;
  } else {
    return without_gaps<T>();
  }
}

/// Appends the schema of a `T` as text: field names and types, and where a struct is copied whole also offsets and size.
template <class T>
void describe_type(std::string& out) {
  const auto number = [&](std::intmax_t n) { out.append(std::to_string(n)).append(1, ' '); };
  if constexpr (std::is_same_v<T, bool>) {
    out += "bool ";
  } else if constexpr (std::is_enum_v<T>) {
    out += "enum ";
    describe_type<std::underlying_type_t<T>>(out);
  } else if constexpr (std::is_arithmetic_v<T>) {
    out += std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
    number(8 * sizeof(T));
  } else if constexpr (is_duration<T>) {
    out += "duration ";
    number(T::period::num), number(T::period::den);
    describe_type<typename T::rep>(out);
  } else if constexpr (is_time_point<T>) {
    out += std::is_same_v<typename T::clock, std::chrono::system_clock> ? "utc" : typeid(typename T::clock).name();
    out += ' ';
    describe_type<typename T::duration>(out);
  } else if constexpr (std::is_same_v<T, std::string>) {
    out += "text ";
  } else if constexpr (optional_like<T> || list_like<T>) {
    out += optional_like<T> ? "optional " : "list ";
    describe_type<typename T::value_type>(out);
  } else if constexpr (tuple_like<T>) {
    out += "( ";
    boost::mp11::mp_for_each<boost::mp11::mp_transform<std::type_identity, T>>(
        [&](auto part) { describe_type<typename decltype(part)::type>(out); });
    out += ") ";
  } else if constexpr (described<T>) {
    const T row{};
    out += "{ ";
    for_each_member(row, [&]<class M>(std::string_view name, const M& member) {
      out.append(name).append(1, ' ');
      if constexpr (copied_whole<T>()) number(reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&row));
      describe_type<M>(out);
    });
    if constexpr (copied_whole<T>()) number(sizeof(T));
    out += "} ";
  } else {
    out.append("bytes ").append(typeid(T).name()).append(1, ' ');
    number(sizeof(T));
  }
}

std::uint64_t hash_schema(const std::string& schema) noexcept;

}  // namespace detail

/// What a row type looks like in bytes, as a number: two types with equal fields (names, types, order, layout) have the same. The
/// type's own name does not count, except for a `plain_row`.
template <record T>
std::uint64_t schema_fingerprint() {
  static const auto fingerprint = [] {
    std::string schema;
    detail::describe_type<T>(schema);
    return detail::hash_schema(schema);
  }();
  return fingerprint;
}

}  // namespace spillway
