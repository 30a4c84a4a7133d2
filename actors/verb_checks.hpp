#pragma once
// What the verbs of a stream are given, checked before anything is made of it: each check stops compilation with one sentence, or
// is true. They are called where a constant is needed, so that the sentence is the compiler's first error.
#include "actors/misuse.hpp"
#include "actors/operators/flat_map.hpp"
#include "actors/sink.hpp"

#include <functional>
#include <type_traits>
#include <utility>

namespace spillway::detail {

/// `F` for `map` on rows of type `T`.
template <class F, class T>
consteval bool check_map() {
  constexpr bool fits = std::is_invocable_v<const F&, const T&>, changes = !fits && std::is_invocable_v<F&, const T&>;
  static_assert(
      !changes,
      "map() takes a function that keeps nothing between calls: each subtask has a copy; .process(sw::op<X>()) is for state");
  static_assert(fits || changes, "map() takes f(const Row&), with the row type of the stream it is called on");
  if constexpr (fits) {
    using R = std::remove_cvref_t<std::invoke_result_t<const F&, const T&>>;
    static_assert(!std::is_void_v<R>, "map() takes a function that returns the new row; this one returns nothing");
    if constexpr (!std::is_void_v<R>) return check_row<R>();
  }
  return false;
}

/// `F` for `filter` on rows of type `T`.
template <class F, class T>
consteval bool check_filter() {
  constexpr bool fits = std::is_invocable_r_v<bool, const F&, const T&>;
  constexpr bool changes = !fits && std::is_invocable_r_v<bool, F&, const T&>;
  static_assert(
      !changes,
      "filter() takes a function that keeps nothing between calls: each subtask has a copy; .process(sw::op<X>()) is for state");
  static_assert(fits || changes, "filter() takes f(const Row&) that returns true for the rows to keep");
  return fits;
}

template <class C, class A, class R, bool N>
std::type_identity<R> given_by(void (C::*)(A, out<R>&) const noexcept(N));
template <class C, class A, class R, bool N>
std::type_identity<R> given_by(void (C::*)(A, out<R>&) noexcept(N));
template <class A, class R, bool N>
std::type_identity<R> given_by(void (*)(A, out<R>&) noexcept(N));

/// The `R` in the `out<R>&` that `F` takes second; void if it cannot be told.
template <class F>
consteval auto given_rows() {
  if constexpr (requires { given_by(std::declval<F>()); })
    return decltype(given_by(std::declval<F>())){};
  else if constexpr (requires { given_by(&F::operator()); })
    return decltype(given_by(&F::operator())){};
  else
    return std::type_identity<void>{};
}

/// `F` for `flat_map` on rows of type `T`.
template <class F, class T>
consteval bool check_flat_map() {
  using R = typename decltype(given_rows<F>())::type;
  static_assert(!std::is_void_v<R>, "flat_map() takes f(const Row&, sw::out<R>&), with both types written out: not auto");
  if constexpr (!std::is_void_v<R>) {
    constexpr bool fits = std::is_invocable_v<const F&, const T&, out<R>&>;
    constexpr bool changes = !fits && std::is_invocable_v<F&, const T&, out<R>&>;
    static_assert(!changes,
                  "flat_map() takes a function that keeps nothing between calls: each subtask has a copy; .process(sw::op<X>()) "
                  "is for state");
    static_assert(fits || changes,
                  "flat_map() takes f(const Row&, sw::out<R>&), with the row type of the stream it is called on");
    if constexpr (fits) return check_row<R>();
  }
  return false;
}

/// `F` for `reduce` on rows of type `T`.
template <class F, class T>
consteval bool check_reduce() {
  constexpr bool fits = std::is_invocable_r_v<T, const F&, const T&, const T&>;
  static_assert(fits, "reduce() takes f(const Row&, const Row&) that returns a row of the stream's own type");
  return fits;
}

/// `Sink` for `write` on rows of type `T`.
template <class Sink, class T>
consteval bool check_sink() {
  constexpr bool fits = requires(const Sink& d, const sink_context& ctx) { d.template open<T>(ctx); };
  static_assert(fits, "write() takes a sink, such as sw::to_csv{path}: this type has no open<Row>(const sink_context&)");
  return fits;
}

}  // namespace spillway::detail
