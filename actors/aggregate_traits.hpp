#pragma once
// What an aggregate is: a record that adds rows to itself, or settings that add rows to a state of theirs.
#include "messages/record.hpp"

#include <type_traits>
#include <utility>
#include <vector>

namespace spillway {

/// A result of several rows, as `top` gives: each becomes a result row of its own, in order.
template <class Row>
struct many {
  std::vector<Row> rows;
};

namespace detail {

template <class A, class T>
concept adds_itself = std::is_copy_constructible_v<A> && requires(A a, const T& row) { a.add(row); };

template <class A, class T>
concept adds_to_state = requires(const A a, const T& row) {
  a.init();
  requires requires(decltype(a.init()) state) {
    a.add(state, row);
    a.result(std::as_const(state));
  };
};

/// Ready-made aggregates take their types from the row.
template <class A, class T>
concept made_for_rows = requires(const A a) { a.template for_rows<T>(); };

template <class A, class T>
auto bind_aggregate(A a) {
  if constexpr (made_for_rows<A, T>)
    return a.template for_rows<T>();
  else
    return a;
}

template <class A, class T>
concept aggregate_of = made_for_rows<A, T> || adds_to_state<A, T> || adds_itself<A, T>;

/// One face for both kinds. `A` is bound.
template <class A, class T>
struct aggregate_traits {
  static constexpr bool settings = adds_to_state<A, T>;

  static auto init(const A& a) {
    if constexpr (settings)
      return a.init();
    else
      return a;
  }
  using state = decltype(init(std::declval<const A&>()));

  static void add(const A& a, state& s, const T& row) {
    if constexpr (settings)
      a.add(s, row);
    else
      s.add(row);
  }

  static decltype(auto) result(const A& a, const state& s) {
    if constexpr (settings)
      return a.result(s);
    else if constexpr (requires { s.result(); })
      return s.result();
    else
      return (s);
  }
  using result_type = std::remove_cvref_t<decltype(result(std::declval<const A&>(), std::declval<const state&>()))>;
};

template <class R>
struct result_row {
  using type = R;
};
template <class Row>
struct result_row<many<Row>> {
  using type = Row;
};

}  // namespace detail

}  // namespace spillway
