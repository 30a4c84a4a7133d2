#pragma once
// What `key_by` takes: members of the row, functions of it, several of both.
#include "actors/misuse.hpp"
#include "messages/columns.hpp"
#include "messages/keyed.hpp"

#include <functional>
#include <string>
#include <vector>

namespace spillway {

/// A key function with a column name of its own, see `key`.
template <class F>
struct named_key {
  std::string name;
  F of;
};

/// A function of the row as a key, whose column is called `name`.
template <class N, class F>
auto key(N name, F of) {
  static_assert(detail::is_text<N>, "key() takes the column's name first: sw::key(column, f)");
  if constexpr (detail::is_text<N>)
    return named_key<F>{std::string{std::string_view{name}}, std::move(of)};
  else
    return detail::misused{};
}

/// The key of a stream of scalars or strings: the row itself.
struct itself_t {
  template <class T>
  constexpr const T& operator()(const T& row) const noexcept {
    return row;
  }
};
inline constexpr itself_t itself{};

namespace detail {

template <class F>
const F& key_function(const named_key<F>& k) {
  return k.of;
}
template <class F>
const F& key_function(const F& f) {
  return f;
}

template <class K>
using key_function_of = std::remove_cvref_t<decltype(key_function(std::declval<const K&>()))>;

template <class K, class T>
concept key_of_row = std::is_invocable_v < const key_function_of<K>
&, const T& > ;

template <std::size_t, class F>
struct key_part {
  F of;
};

template <class Numbers, class... Fs>
struct key_parts;
template <std::size_t... I, class... Fs>
struct key_parts<std::index_sequence<I...>, Fs...> : key_part<I, Fs>... {
  template <class T>
  auto operator()(const T& row) const {
    return std::tuple<std::remove_cvref_t<std::invoke_result_t<const Fs&, const T&>>...>{
        std::invoke(key_part<I, Fs>::of, row)...};
  }
};

template <class F>
struct key_parts<std::index_sequence<0>, F> {
  F part;

  template <class T>
  decltype(auto) operator()(const T& row) const {
    return std::invoke(part, row);
  }
};
template <>
struct key_parts<std::index_sequence<>> {
  template <class T>
  no_key operator()(const T&) const {
    return {};
  }
};

/// The key of a row: the one part, or a tuple of several; without parts `no_key`.
template <class... Fs>
using key_reader = key_parts<std::index_sequence_for<Fs...>, Fs...>;

/// Stops compilation with one sentence if one of `Ks` is no key of rows of type `T`.
template <class T, class... Ks>
consteval bool check_keys() {
  constexpr bool names = (... || is_text<Ks>);
  constexpr bool read = (... && key_of_row<Ks, T>);
  constexpr bool said = names || (... || std::is_same_v<Ks, misused>);
  static_assert(!names, "key_by() takes members of the row or functions of it, not names: &row::member, or sw::key(column, f)");
  static_assert(said || read,
                "key_by() takes members of the row or functions of it: this key cannot be read from the stream's row type");
  if constexpr (read) {
    constexpr bool own = (... && record<std::remove_cvref_t<std::invoke_result_t<const key_function_of<Ks>&, const T&>>>);
    static_assert(own,
                  "key_by() takes keys that own their data: a string, a number, an enum, a time, or a described struct of them");
    return !names && own;
  }
  return false;
}

/// A key without a name is called `key`.
void add_column(std::vector<std::string>& to, std::string_view name);

template <class T, class F>
void add_key_columns(std::vector<std::string>& to, const F& f) {
  using K = std::remove_cvref_t<std::invoke_result_t<const key_function_of<F>&, const T&>>;
  if constexpr (is_a<F, named_key>)
    add_column(to, f.name);
  else if constexpr (std::is_member_object_pointer_v<F> && is_cell<K>)
    add_column(to, member_name(f));
  else if constexpr (is_cell<K>)
    add_column(to, {});
  else
    for (const auto& name : column_names<K>()) add_column(to, name);
}

}  // namespace detail

}  // namespace spillway
