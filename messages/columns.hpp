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

template <class T>
struct leaves_of {
  using type = boost::mp11::mp_list<T>;
};
template <class... Ts>
using leaves_of_all = boost::mp11::mp_append<boost::mp11::mp_list<>, typename leaves_of<std::remove_cv_t<Ts>>::type...>;

template <class T, class... Descriptors>
leaves_of_all<std::remove_reference_t<decltype(std::declval<T&>().*Descriptors::pointer)>...> leaves_of_members(
    boost::mp11::mp_list<Descriptors...>);

template <tuple_like T>
struct leaves_of<T> {
  using type = boost::mp11::mp_apply<leaves_of_all, boost::mp11::mp_rename<T, boost::mp11::mp_list>>;
};
template <described T>
struct leaves_of<T> {
  using type = decltype(leaves_of_members<T>(members_of<T>{}));
};

/// The types of the leaves of a row type, in order: a leaf is a value that is no described struct, pair or tuple.
template <class T>
using leaf_types = typename leaves_of<T>::type;

template <class... Leaves>
consteval bool all_cells(boost::mp11::mp_list<Leaves...>) {
  return (... && is_cell<Leaves>);
}

/// The leaves of a row type as they are found on a walk through a row.
class leaf_list {
 public:
  struct leaf {
    /// The member's name, for elements of a tuple with their number.
    std::string name;
    /// Where it is from the row on, as in `value.flights`.
    std::string origin;
    /// The bytes of the row that it takes.
    std::size_t from, to;
  };

  explicit leaf_list(const void* row);
  leaf_list(leaf_list&&) noexcept;
  ~leaf_list();

  const std::vector<leaf>& leaves() const noexcept { return leaves_; }
  std::vector<std::string> names() const;
  std::vector<std::string> origins() const;

  /// What is added next is called so, inside what was entered.
  void call(const char* name);
  void call_element(std::size_t i);
  void enter();
  void leave();
  void add(const void* leaf, std::size_t size);

 private:
  const char* row_;
  std::string name_ = "value", origin_;
  std::vector<std::pair<std::string, std::string>> outer_;
  std::vector<leaf> leaves_;
};

template <class T>
void add_leaves(leaf_list& to, const T& value);

template <class T, class... Descriptors>
void add_members(leaf_list& to, const T& value, boost::mp11::mp_list<Descriptors...>) {
  ((to.call(Descriptors::name), add_leaves(to, value.*Descriptors::pointer)), ...);
}
template <class T, std::size_t... I>
void add_elements(leaf_list& to, const T& value, std::index_sequence<I...>) {
  ((to.call_element(I + 1), add_leaves(to, std::get<I>(value))), ...);
}

template <class T>
void add_leaves(leaf_list& to, const T& value) {
  if constexpr (tuple_like<T> || described<T>) {
    to.enter();
    if constexpr (tuple_like<T>)
      add_elements(to, value, std::make_index_sequence<std::tuple_size_v<T>>{});
    else
      add_members(to, value, members_of<T>{});
    to.leave();
  } else {
    to.add(&value, sizeof(T));
  }
}

/// The leaves of a row type, of the types `leaf_types`.
template <class T>
leaf_list list_leaves() {
  const T row{};
  leaf_list leaves{&row};
  add_leaves(leaves, row);
  return leaves;
}

}  // namespace detail

/// True if a value in `T` is no cell: a list, or an optional of several values.
template <record T>
inline constexpr bool has_list_column = !detail::all_cells(detail::leaf_types<T>{});

/// The flat columns of a row type: `value` for a row that is one value, the described members, those of nested structs in their
/// place. A `keyed` row has the columns of its key (`key`, or `key1`, `key2` of a tuple), then those of its value (`value`).
template <record T>
std::vector<std::string> column_names() {
  return detail::list_leaves<T>().names();
}

/// Where the columns are in the row, as in `value.flights`.
template <record T>
std::vector<std::string> column_origins() {
  return detail::list_leaves<T>().origins();
}

namespace detail {

template <class T, class F>
constexpr void visit_cells(const T& row, F& f);

template <class T, class F, class... Descriptors>
constexpr void visit_cells_of_members(const T& row, F& f, boost::mp11::mp_list<Descriptors...>) {
  (visit_cells(row.*Descriptors::pointer, f), ...);
}
template <class T, class F, std::size_t... I>
constexpr void visit_cells_of_elements(const T& row, F& f, std::index_sequence<I...>) {
  (visit_cells(std::get<I>(row), f), ...);
}

template <class T, class F>
constexpr void visit_cells(const T& row, F& f) {
  if constexpr (tuple_like<T>)
    visit_cells_of_elements(row, f, std::make_index_sequence<std::tuple_size_v<T>>{});
  else if constexpr (described<T>)
    visit_cells_of_members(row, f, members_of<T>{});
  else
    f(row);
}

}  // namespace detail

/// Calls `f(cell)` for each cell of `row`, in the order of its columns.
template <class T, class F>
constexpr void for_each_cell(const T& row, F&& f) {
  detail::visit_cells(row, f);
}

/// Throws `pipeline_error` if two of the columns that `step` gives have one name, saying where in the row (`column_origins`) both
/// come from.
void check_columns(std::string_view step, std::span<const std::string> names, std::span<const std::string> origins = {});

}  // namespace spillway
