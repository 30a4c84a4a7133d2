#pragma once
#include "actors/operators/aggregate.hpp"
#include "actors/operators/deduplicate.hpp"
#include "actors/operators/reduce.hpp"
#include "actors/operators/running.hpp"
#include "actors/stream.hpp"

namespace spillway {

namespace detail {

/// The row type of what the bound aggregate `A` gives.
template <class A, class T>
using value_row = typename result_row<typename aggregate_traits<A, T>::result_type>::type;

/// Stops compilation with one sentence if there is no row to be made of the aggregate's value, by `F` unless it is null.
template <class K, class A, class T, class F>
consteval bool check_shape() {
  if constexpr (std::is_same_v<A, misused>) {
    return false;
  } else if constexpr (!check_row<value_row<A, T>>()) {
    return false;
  } else if constexpr (std::is_null_pointer_v<F>) {
    return true;
  } else {
    constexpr bool named_last = is_text<F>;
    static_assert(!named_last, "the name of a step comes before the verb's other arguments, and is a text");
    constexpr bool fits = std::is_invocable_v<const F&, const K&, const value_row<A, T>&>;
    static_assert(named_last || fits,
                  "the last argument of aggregate() and running() makes the result row: f(const Key&, const Value&)");
    using row = typename result_of<const F, const K&, const value_row<A, T>&>::type;
    static_assert(!fits || !std::is_void_v<row>,
                  "the last argument of aggregate() and running() returns the result row; this one returns nothing");
    if constexpr (!std::is_void_v<row>) return check_row<row>();
    return false;
  }
}

}  // namespace detail

/// A stream whose rows are grouped by a key of type `K`: what the verbs that keep something for each key are called on.
template <class K, class T, boundedness B, class KeyOf>
class keyed_stream : public detail::has_key {
  using step_name = detail::step_name;

 public:
  using key_type = K;
  using row_type = T;
  static constexpr auto bounds = B;

  keyed_stream(detail::stream_end end, KeyOf key_of, std::vector<std::string> key_columns)
      : end_(detail::by_key(std::move(end), key_columns, new detail::keyed_routes<T, KeyOf>(key_of))),
        key_of_(std::move(key_of)),
        key_columns_(std::move(key_columns)) {}

  /// One result for each key when the stream has ended: `keyed<K, R>{key, value}`, or what `f(key, value)` makes of them.
  /// An aggregate is a record with `add(row)`, or settings with `init()`, `add(state, row)` and `result(state)`.
  template <class A>
  auto aggregate(A a) const {
    return aggregated({}, std::move(a), nullptr);
  }
  template <class A, class F>
  auto aggregate(step_name name, A a, F f) const {
    return aggregated(std::move(name), std::move(a), std::move(f));
  }
  /// `aggregate(name, a)` or `aggregate(a, f)`.
  template <class First, class Second>
  auto aggregate(First first, Second second) const {
    if constexpr (detail::is_text<First>)
      return aggregated(first, std::move(second), nullptr);
    else
      return aggregated({}, std::move(first), std::move(second));
  }

  /// The aggregate so far after each row, as `keyed<K, R>{key, value}`, or what `f(key, value)` makes of them.
  template <class A>
  auto running(A a) const {
    return run({}, std::move(a), nullptr);
  }
  template <class A, class F>
  auto running(step_name name, A a, F f) const {
    return run(std::move(name), std::move(a), std::move(f));
  }
  /// `running(name, a)` or `running(a, f)`.
  template <class First, class Second>
  auto running(First first, Second second) const {
    if constexpr (detail::is_text<First>)
      return run(first, std::move(second), nullptr);
    else
      return run({}, std::move(first), std::move(second));
  }

  /// After each row what `f(so_far, row)` made of it, as a row of the stream's own type; the first row of a key is itself.
  template <class F>
  stream<T, B> reduce(step_name name, F f) const {
    if constexpr (detail::check_reduce<F, T>()) {
      using A = detail::reduction<T, F>;
      using shape = detail::value_shape<T>;
      return next<T>(
          {std::move(name.text), "reduce"},
          [key_of = key_of_, f](const stage_context& ctx) {
            return new running_stage<T, KeyOf, A, shape>(key_of, A{f}, shape{}, ctx);
          },
          end_.columns);
    } else {
      return stream<T, B>{end_};
    }
  }
  template <class F>
  stream<T, B> reduce(F f) const {
    return reduce(step_name{}, std::move(f));
  }

  /// What `stream::deduplicate_by` is made of: the first row of each key, and those more than `within` after it.
  stream<T, B> deduplicated(step_name name, std::optional<std::chrono::microseconds> within) const {
    detail::check_within(end_, within);
    const auto time = within ? std::any_cast<row_time<T>>(end_.time_of) : row_time<T>{};
    auto out = next<T>(
        {std::move(name.text), "deduplicate_by"},
        [key_of = key_of_, time, within](const stage_context& ctx) {
          using namespace std::chrono_literals;
          return new deduplicate_stage<T, KeyOf>(key_of, time, within.value_or(0us), ctx);
        },
        end_.columns);
    return out.with_time_of(end_);
  }

  /// An operator of one's own, `sw::op<X>(arguments of its constructor)`; `X` derives from `sw::keyed_operator`.
  template <class Op>
  auto process(step_name name, Op op) const {
    if constexpr (detail::check_keyed<Op, K, T>()) {
      using X = typename Op::type;
      using Out = typename X::out_type;
      return next<Out>(
          {std::move(name.text), "process"},
          [key_of = key_of_, op](const stage_context& ctx) {
            return new keyed_process_stage<T, KeyOf, X>(key_of, op.make(), ctx);
          },
          column_names<Out>());
    } else {
      return detail::misused{};
    }
  }
  template <class Op>
  auto process(Op op) const {
    return process(step_name{}, std::move(op));
  }

 private:
  template <class A, class F>
  auto aggregated(step_name name, A a, F f) const {
    static_assert(B == bounded,
                  "aggregate() on an unbounded stream never finishes: call .running(...), which gives a result after each row");
    constexpr bool fits = detail::aggregate_of<A, T>;
    static_assert(fits,
                  "aggregate() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)");
    if constexpr (B == bounded && fits)
      return shaped<aggregate_stage>({std::move(name.text), "aggregate"}, detail::bind_aggregate<A, T>(std::move(a)),
                                     std::move(f));
    else
      return detail::misused{};
  }

  template <class A, class F>
  auto run(step_name name, A a, F f) const {
    constexpr bool fits = detail::aggregate_of<A, T>;
    static_assert(fits,
                  "running() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)");
    if constexpr (fits)
      return shaped<running_stage>({std::move(name.text), "running"}, detail::bind_aggregate<A, T>(std::move(a)), std::move(f));
    else
      return detail::misused{};
  }

  /// `A` is bound to the row type; without a function of the user's the row is `keyed<K, V>`.
  template <template <class, class, class, class> class Stage, class A, class F>
  auto shaped(detail::new_step s, A a, F f) const {
    if constexpr (detail::check_shape<K, A, T, F>()) {
      using V = detail::value_row<A, T>;
      if constexpr (std::is_null_pointer_v<F>) {
        auto columns = result_columns<V>(s.name);
        if (!key_columns_.empty()) check_columns(s.name.empty() ? s.verb : s.name, columns);
        return with_shape<Stage>(std::move(s), std::move(a), detail::keyed_shape<K, V>{}, std::move(columns));
      } else {
        using shape = detail::own_shape<K, V, F>;
        return with_shape<Stage>(std::move(s), std::move(a), shape{std::move(f)}, column_names<typename shape::row>());
      }
    } else {
      return detail::misused{};
    }
  }

  template <template <class, class, class, class> class Stage, class A, class Shape>
  auto with_shape(detail::new_step s, A a, Shape shape, std::vector<std::string> columns) const {
    return next<typename Shape::row>(
        std::move(s),
        [key_of = key_of_, a, shape](const stage_context& ctx) { return new Stage<T, KeyOf, A, Shape>(key_of, a, shape, ctx); },
        std::move(columns));
  }

  /// The key's columns, then the value's: a scalar's is called as the step is, rows of the input keep their names.
  template <class V>
  std::vector<std::string> result_columns(const std::string& step) const {
    if constexpr (std::is_same_v<V, T>)
      return detail::joined(key_columns_, end_.columns);
    else if constexpr (is_cell<V>)
      return detail::joined(key_columns_, {step.empty() ? "value" : step});
    else
      return detail::joined(key_columns_, column_names<V>());
  }

  template <class R, class Make>
  stream<R, B> next(detail::new_step s, const Make& make, std::vector<std::string> columns) const {
    s.stateful = true;
    // One group has one owner.
    if constexpr (std::is_same_v<K, no_key>) s.max_parallelism = 1;
    s.body = detail::make_operator(make);
    return stream<R, B>{detail::add_step({&end_}, std::move(s), std::move(columns))};
  }

  detail::stream_end end_;
  KeyOf key_of_;
  std::vector<std::string> key_columns_;
};

}  // namespace spillway
