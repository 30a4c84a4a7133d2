#pragma once
// What a row may be, and how its members are visited. Everything that reads rows without knowing their type (codec, CSV,
// printing, keys) is written against this header.
#include <boost/describe.hpp>
#include <boost/mp11.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace spillway {

/// A promise about a trivially copyable struct without a description: every byte of it is data (no padding, no pointers), so that
/// it may be hashed, compared and sent as bytes. Specialise it as `true` for a type of your own.
template <class T>
inline constexpr bool plain_row = false;

namespace detail {

template <class T, template <class...> class Of>
inline constexpr bool is_a = false;
template <class... Ts, template <class...> class Of>
inline constexpr bool is_a<Of<Ts...>, Of> = true;

template <class T>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;

template <class T>
inline constexpr bool is_time_point = false;
template <class Clock, class Duration>
inline constexpr bool is_time_point<std::chrono::time_point<Clock, Duration>> = true;

template <class T>
concept chrono_value = is_duration<T> || is_time_point<T>;

template <class T>
concept scalar = std::is_arithmetic_v<T> || std::is_enum_v<T> || chrono_value<T>;

template <class T>
concept optional_like = is_a<T, std::optional>;

template <class T>
concept tuple_like = is_a<T, std::pair> || is_a<T, std::tuple>;

template <class T>
concept list_like = is_a<T, std::vector> && !std::is_same_v<T, std::vector<bool>>;

template <class T>
concept described = std::is_class_v<T> && boost::describe::has_describe_members<T>::value && !std::is_union_v<T>;

template <class T>
using members_of =
    boost::mp11::mp_rename<boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>,
                           boost::mp11::mp_list>;

template <class T>
consteval bool record_ok();

template <class... Ts>
consteval bool all_records(const std::tuple<Ts...>*) {
  return (record_ok<std::remove_cv_t<Ts>>() && ...);
}

/// Members that are described but not public would be lost wherever rows are copied member by member.
template <class T>
inline constexpr bool hides_members = !boost::mp11::mp_empty<
    boost::describe::describe_members<T, boost::describe::mod_private | boost::describe::mod_protected>>::value;

template <class T, class... Descriptors>
consteval bool all_members_ok(const boost::mp11::mp_list<Descriptors...>*) {
  return (record_ok<std::remove_cvref_t<decltype(std::declval<T&>().*Descriptors::pointer)>>() && ...);
}

template <class T>
consteval bool record_ok() {
  if constexpr (std::is_pointer_v<T> || std::is_reference_v<T> || std::is_member_pointer_v<T> || std::is_void_v<T>) {
    return false;
  } else if constexpr (scalar<T> || std::is_same_v<T, std::string>) {
    return true;
  } else if constexpr (optional_like<T> || list_like<T>) {
    return record_ok<typename T::value_type>();
  } else if constexpr (is_a<T, std::pair>) {
    return record_ok<std::remove_cv_t<typename T::first_type>>() && record_ok<std::remove_cv_t<typename T::second_type>>();
  } else if constexpr (is_a<T, std::tuple>) {
    return all_records(static_cast<const T*>(nullptr));
  } else if constexpr (described<T>) {
    return !hides_members<T> &&
           all_members_ok<T>(static_cast<const members_of<T>*>(nullptr));
  } else {
    return std::is_trivially_copyable_v<T> && plain_row<T>;
  }
}

}  // namespace detail

/// A row, or a value inside one: a scalar (arithmetic, enum, chrono), a string, an optional, pair, tuple or vector of records, a
/// struct described with Boost.Describe, or a trivially copyable struct for which `plain_row` was set.
template <class T>
concept record = detail::record_ok<T>() && std::is_default_constructible_v<T> && std::is_copy_constructible_v<T>;

namespace detail {

/// `Row` is in the compiler's message, beside the member's type.
template <class Row, class Member>
consteval bool check_member() {
  static_assert(
      record_ok<Member>(),
      "a row owns its data: each member is a number, an enum, a time, a std::string, a described struct, or an optional, pair, "
      "tuple or vector of such");
  return record_ok<Member>();
}

template <class Row, class... Descriptors>
consteval bool check_members(const boost::mp11::mp_list<Descriptors...>*) {
  return (... && check_member<Row, std::remove_cvref_t<decltype(std::declval<Row&>().*Descriptors::pointer)>>());
}

}  // namespace detail

/// Stops compilation with one sentence if `Row` cannot be a row. True if it can.
template <class Row>
consteval bool check_row() {
  if constexpr (record<Row>) {
    return true;
  } else if constexpr (detail::record_ok<Row>()) {
    static_assert(record<Row>, "a row must be default constructible and copyable");
  } else if constexpr (std::is_pointer_v<Row> || std::is_convertible_v<Row, std::string_view>) {
    static_assert(record<Row>, "a row owns its data: this one is a pointer or a view (use std::string or a struct)");
  } else if constexpr (!detail::described<Row>) {
    static_assert(record<Row>, "a row must be described: add BOOST_DESCRIBE_STRUCT(Row, (), (its members)) after the struct");
  } else if constexpr (detail::hides_members<Row>) {
    static_assert(record<Row>, "a row's members are public and described: this class has described members that are not public");
  } else {
    return detail::check_members<Row>(static_cast<const detail::members_of<Row>*>(nullptr));
  }
  return false;
}

/// `check_row`, for class templates that are named before anything is made of them: always true, after the sentence.
template <class Row>
inline constexpr bool row_checked = check_row<Row>() || true;

namespace detail {

/// A pack instead of `mp_for_each`, which would be three functions more to compile for each row type and each use.
template <class T, class F, class... Descriptors>
constexpr void visit_members(T& row, F& f, boost::mp11::mp_list<Descriptors...>) {
  (f(std::string_view{Descriptors::name}, row.*Descriptors::pointer), ...);
}

/// Looks for the name of a member.
template <class Row, class M>
struct name_search {
  M Row::* member;
  const char* name = nullptr;

  constexpr void look_at(const char* of, M Row::* other) {
    if (other == member && !name) name = of;
  }
  /// A member of another type.
  constexpr void look_at(const char*, ...) {}

  template <class... Descriptors>
  constexpr void look_at_all(boost::mp11::mp_list<Descriptors...>) {
    (look_at(Descriptors::name, Descriptors::pointer), ...);
  }
};

}  // namespace detail

/// Calls `f(name, member)` for each described member of `row`, bases first, in the order of the description.
template <detail::described T, class F>
  requires(!std::is_const_v<T>)
constexpr void for_each_member(T& row, F&& f) {
  detail::visit_members(row, f, detail::members_of<T>{});
}

template <detail::described T, class F>
constexpr void for_each_member(const T& row, F&& f) {
  detail::visit_members(row, f, detail::members_of<T>{});
}

/// The described name of `member`, or "" if it is not described.
template <class Row, class M>
constexpr std::string_view member_name(M Row::* member) {
  detail::name_search<Row, M> search{member};
  if constexpr (detail::described<Row>) search.look_at_all(detail::members_of<Row>{});
  return search.name ? search.name : std::string_view{};
}

/// True if the bytes of a `T` are exactly the bytes of its described members, in order: such rows are copied whole by the codec.
template <class T>
constexpr bool without_gaps() {
  if constexpr (detail::is_duration<T>) {
    return without_gaps<typename T::rep>();
  } else if constexpr (detail::is_time_point<T>) {
    return without_gaps<typename T::duration>();
  } else if constexpr (detail::scalar<T>) {
    return !std::is_same_v<T, long double>;
  } else if constexpr (!std::is_trivially_copyable_v<T>) {
    return false;
  } else if constexpr (detail::described<T>) {
    std::size_t bytes = 0;
    bool whole = true;
    boost::mp11::mp_for_each<detail::members_of<T>>([&](auto d) {
      using member = std::remove_cvref_t<decltype(std::declval<T&>().*d.pointer)>;
      bytes += sizeof(member);
      whole = whole && without_gaps<member>();
    });
    return whole && bytes == sizeof(T);
  } else {
    return plain_row<T>;
  }
}

namespace detail {

template <class T>
std::size_t bytes_on_heap(const T& row, bool allocated);

template <class T, class... Descriptors>
std::size_t members_on_heap(const T& row, bool allocated, boost::mp11::mp_list<Descriptors...>) {
  return (bytes_on_heap(row.*Descriptors::pointer, allocated) + ... + 0);
}

template <class T, std::size_t... I>
std::size_t elements_on_heap(const T& row, bool allocated, std::index_sequence<I...>) {
  return (bytes_on_heap(std::get<I>(row), allocated) + ... + 0);
}

/// Bytes on the heap: those in use, or all that were allocated.
template <class T>
std::size_t bytes_on_heap(const T& row, bool allocated) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    return 0;
  } else if constexpr (std::is_same_v<T, std::string>) {
    const auto bytes = allocated ? row.capacity() : row.size();
    return bytes > std::string{}.capacity() ? bytes : 0;
  } else if constexpr (optional_like<T>) {
    return row ? bytes_on_heap(*row, allocated) : 0;
  } else if constexpr (list_like<T>) {
    auto bytes = (allocated ? row.capacity() : row.size()) * sizeof(typename T::value_type);
    if constexpr (!std::is_trivially_copyable_v<typename T::value_type>)
      for (const auto& e : row) bytes += bytes_on_heap(e, allocated);
    return bytes;
  } else if constexpr (tuple_like<T>) {
    return elements_on_heap(row, allocated, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (described<T>) {
    return members_on_heap(row, allocated, members_of<T>{});
  } else {
    return 0;
  }
}

}  // namespace detail

/// Bytes of strings and lists in `row` that are not inside the row itself, near enough to bound the memory of a batch.
template <class T>
std::size_t heap_bytes(const T& row) {
  return detail::bytes_on_heap(row, false);
}

/// As `heap_bytes`, with memory that is kept for later.
template <class T>
std::size_t heap_allocated(const T& row) {
  return detail::bytes_on_heap(row, true);
}

}  // namespace spillway
