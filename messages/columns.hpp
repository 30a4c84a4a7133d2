#pragma once
// Rows as flat columns: which columns a row type has, and its cells one by one.
#include "messages/keyed.hpp"
#include "messages/parse.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

/// A way from a row to a value in it: `of(row)` is the value.
struct whole_row {
  template <class T>
  static constexpr T& of(T& row) noexcept {
    return row;
  }
};
template <class Outer, class Descriptor>
struct member_path {
  static constexpr auto& of(auto& row) noexcept { return Outer::of(row).*Descriptor::pointer; }
};
template <class Outer, std::size_t I>
struct element_path {
  static constexpr auto& of(auto& row) noexcept { return std::get<I>(Outer::of(row)); }
};

/// Calls `f(name, origin, path, std::type_identity<L>)` for each leaf of a row type: a value of type `L` that is no described
/// struct, pair or tuple. Its name is the member's, for elements of a tuple with their number; `origin` says where it is from the
/// row on.
template <class T, class Path = whole_row, class F>
void for_each_leaf(F&& f, const std::string& name = "value", const std::string& origin = "") {
  const auto inner = [&](const std::string& part) { return origin.empty() ? part : origin + '.' + part; };
  if constexpr (tuple_like<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (for_each_leaf<std::remove_cv_t<std::tuple_element_t<I, T>>, element_path<Path, I>>(f, name + std::to_string(I + 1),
                                                                                          inner(std::to_string(I + 1))),
       ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (described<T>) {
    boost::mp11::mp_for_each<members_of<T>>([&](auto d) {
      using member = std::remove_cvref_t<decltype(std::declval<T&>().*d.pointer)>;
      for_each_leaf<member, member_path<Path, decltype(d)>>(f, d.name, inner(d.name));
    });
  } else {
    f(std::string_view{name}, std::string_view{origin}, Path{}, std::type_identity<T>{});
  }
}

template <class T>
consteval bool only_cells();

template <class T, class... Descriptors>
consteval bool members_are_cells(const boost::mp11::mp_list<Descriptors...>*) {
  return (only_cells<std::remove_cvref_t<decltype(std::declval<T&>().*Descriptors::pointer)>>() && ...);
}

template <class T>
consteval bool only_cells() {
  if constexpr (tuple_like<T>) return []<std::size_t... I>(std::index_sequence<I...>) {
      return (only_cells<std::remove_cv_t<std::tuple_element_t<I, T>>>() && ...);
    }
  (std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (described<T>) return members_are_cells<T>(
      static_cast<const boost::mp11::mp_rename<members_of<T>, boost::mp11::mp_list>*>(nullptr));
  else return is_cell<T>;
}

}  // namespace detail

/// True if a value in `T` is no cell: a list, or an optional of several values.
template <record T>
inline constexpr bool has_list_column = !detail::only_cells<T>();

/// The flat columns of a row type: `value` for a row that is one value, the described members, those of nested structs in their
/// place. A `keyed` row has the columns of its key (`key`, or `key1`, `key2` of a tuple), then those of its value (`value`).
template <record T>
std::vector<std::string> column_names() {
  std::vector<std::string> names;
  detail::for_each_leaf<T>([&](std::string_view name, auto&&...) { names.emplace_back(name); });
  return names;
}

/// Where the columns are in the row, as in `value.flights`.
template <record T>
std::vector<std::string> column_origins() {
  std::vector<std::string> origins;
  detail::for_each_leaf<T>([&](std::string_view, std::string_view origin, auto&&...) { origins.emplace_back(origin); });
  return origins;
}

/// Calls `f(cell)` for each cell of `row`, in the order of its columns.
template <class T, class F>
constexpr void for_each_cell(const T& row, F&& f) {
  if constexpr (detail::tuple_like<T>)
    std::apply([&](const auto&... e) { (for_each_cell(e, f), ...); }, row);
  else if constexpr (detail::described<T>)
    boost::mp11::mp_for_each<detail::members_of<T>>([&](auto d) { for_each_cell(row.*d.pointer, f); });
  else
    f(row);
}

/// Throws `pipeline_error` if two of the columns that `step` gives have one name, saying where in the row (`column_origins`) both
/// come from.
void check_columns(std::string_view step, std::span<const std::string> names, std::span<const std::string> origins = {});

}  // namespace spillway
