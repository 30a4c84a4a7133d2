#pragma once
// How an operator of one's own is handed to `process`, and what is checked then: that it has what is called, as it is called.
#include "actors/operator.hpp"

#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace spillway {

/// How to build an operator of the user's own in each subtask, see `op`.
template <class X>
struct operator_recipe {
  using type = X;
  std::function<std::unique_ptr<X>()> make;
};

/// Builds an `X` in place for each subtask, from copies of `args`.
template <class X, class... Args>
operator_recipe<X> op(Args... args) {
  static_assert(std::is_constructible_v<X, const Args&...>, "op<X>(...) takes what a constructor of X takes");
  if constexpr (std::is_constructible_v<X, const Args&...>)
    return {[args = std::tuple{std::move(args)...}] {
      return std::apply([](const auto&... a) { return std::make_unique<X>(a...); }, args);
    }};
  else
    return {};
}

namespace detail {

template <class R, class Q>
struct query_types {
  using reply = std::remove_cvref_t<R>;
  using query = Q;
};
template <class C, class R, class Q, bool N>
query_types<R, Q> query_types_of(R (C::*)(const Q&) noexcept(N));
template <class C, class R, class Q, bool N>
query_types<R, Q> query_types_of(R (C::*)(const Q&) const noexcept(N));

/// `X` has one `Reply on_query(const Query&)`.
template <class X>
concept answers_queries = requires {
  query_types_of(&X::on_query);
  requires !std::is_void_v<typename decltype(query_types_of(&X::on_query))::reply>;
};

struct on_query_probe {
  int on_query;
};
struct on_end_probe {
  int on_end;
};

/// A member of the probe's name in `X` makes that name ambiguous, of whatever kind it is. Cannot be told of final classes.
template <class X, class Probe>
struct with_probe : X, Probe {};

template <class X>
consteval bool has_on_query() {
  if constexpr (std::is_final_v<X>)
    return answers_queries<X>;
  else
    return !requires { &with_probe<X, on_query_probe>::on_query; };
}

template <class X>
consteval bool has_on_end() {
  if constexpr (std::is_final_v<X>)
    return false;
  else
    return !requires { &with_probe<X, on_end_probe>::on_end; };
}

template <class X>
concept plain_operator = requires {
  typename X::out_type;
}
&&std::is_base_of_v<stream_operator<typename X::row_type, typename X::out_type>, X>;
template <class X>
concept operator_with_key = requires {
  typename X::out_type;
}
&&std::is_base_of_v<keyed_operator<typename X::key_type, typename X::row_type, typename X::out_type>, X>;

/// Stops compilation with one sentence if `X` is not called as an operator whose context is a `Context`.
template <class X, class Context>
consteval bool check_operator() {
  constexpr bool rows = requires(X & x, const typename X::row_type& row, Context& ctx) { x.on_row(row, ctx); };
  static_assert(rows,
                "an operator has a public void on_row(const In&, auto& ctx), with In the row type that it names to its base");
  constexpr bool end = !has_on_end<X>() || requires(X & x, Context & ctx) { x.on_end(ctx); };
  static_assert(end, "on_end() of an operator is public and takes (auto& ctx)");
  constexpr bool query = !operator_with_key<X> || !has_on_query<X>() || answers_queries<X>;
  static_assert(query,
                "on_query() must be one public member function, not overloaded and not a template: Reply on_query(const Query&)");
  constexpr bool question = operator_with_key<X> || !has_on_query<X>();
  static_assert(question, "on_query() is for keyed operators: job::ask asks about a key");
  return rows && end && query && question;
}

/// Stops compilation with one sentence if `Op` is not made by `op`, or not of a class for operators.
template <class Op>
consteval bool check_recipe() {
  static_assert(is_a<Op, operator_recipe>,
                "process() takes sw::op<X>(arguments of X's constructor), with X an operator of one's own");
  if constexpr (is_a<Op, operator_recipe>) {
    using X = typename Op::type;
    constexpr bool derives = plain_operator<X> || operator_with_key<X>;
    static_assert(derives,
                  "process() takes an operator that derives publicly from sw::stream_operator<In, Out> or "
                  "sw::keyed_operator<Key, In, Out>");
    return derives;
  }
  return false;
}

/// The same if `Op` is no operator for a stream of `T` without keys.
template <class Op, class T>
consteval bool check_plain() {
  if constexpr (check_recipe<Op>()) {
    using X = typename Op::type;
    static_assert(plain_operator<X>, "process() on a stream without keys takes an sw::stream_operator: call .key_by(...) first");
    constexpr bool row = std::is_same_v<typename X::row_type, T>;
    static_assert(!plain_operator<X> || row, "process() takes an operator for the row type of the stream it is called on");
    if constexpr (plain_operator<X> && row) return check_operator<X, stream_context<typename X::out_type>>();
  }
  return false;
}

/// The same if `Op` is no operator for a stream of `T` with keys of type `K`.
template <class Op, class K, class T>
consteval bool check_keyed() {
  if constexpr (check_recipe<Op>()) {
    using X = typename Op::type;
    static_assert(operator_with_key<X>, "process() on a keyed stream takes an sw::keyed_operator");
    if constexpr (operator_with_key<X>) {
      constexpr bool key = std::is_same_v<typename X::key_type, K>;
      constexpr bool row = std::is_same_v<typename X::row_type, T>;
      static_assert(row, "process() takes an operator for the row type of the stream it is called on");
      static_assert(!row || key, "process() takes an operator with the key type of the stream it is called on");
      if constexpr (key && row) return check_operator<X, keyed_context<K, typename X::out_type>>();
    }
  }
  return false;
}

}  // namespace detail

}  // namespace spillway
