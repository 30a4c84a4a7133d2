#pragma once
// The fields that a row has as a JSON object. Members that are structs are objects in it.
#include "messages/columns.hpp"

#include <cstddef>
#include <utility>

namespace spillway::detail {

/// True for a row that is made of others and whose parts stand in one object, as their columns do in CSV.
template <class T>
inline constexpr bool joins_fields = is_keyed<T>;

template <class T, class F>
constexpr void visit_json_fields(T& row, F& f, const char* name = "value");

template <class T, class F, class... Descriptors>
constexpr void visit_json_members(T& row, F& f, boost::mp11::mp_list<Descriptors...>) {
  if constexpr (joins_fields<std::remove_const_t<T>>)
    (visit_json_fields(row.*Descriptors::pointer, f, Descriptors::name), ...);
  else
    (f(Descriptors::name, std::size_t{0}, row.*Descriptors::pointer), ...);
}
template <class T, class F, std::size_t... I>
constexpr void visit_json_elements(T& row, F& f, const char* name, std::index_sequence<I...>) {
  (f(name, I + 1, std::get<I>(row)), ...);
}

/// Calls `f(name, number, field)` for each field of `row`; elements of a tuple have numbers from 1, others 0.
template <class T, class F>
constexpr void visit_json_fields(T& row, F& f, const char* name) {
  using value = std::remove_const_t<T>;
  if constexpr (tuple_like<value>)
    visit_json_elements(row, f, name, std::make_index_sequence<std::tuple_size_v<value>>{});
  else if constexpr (described<value>)
    visit_json_members(row, f, members_of<value>{});
  else
    f(name, std::size_t{0}, row);
}

}  // namespace spillway::detail
