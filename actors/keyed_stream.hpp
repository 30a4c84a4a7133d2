#pragma once
#include "actors/operators/aggregate.hpp"
#include "actors/operators/reduce.hpp"
#include "actors/operators/running.hpp"
#include "actors/stream.hpp"

namespace spillway {

/// A stream whose rows are grouped by a key of type `K`: what the verbs that keep something for each key are called on.
template <class K, class T, boundedness B, class KeyOf>
class keyed_stream {
 public:
  using key_type = K;
  using row_type = T;
  static constexpr auto bounds = B;

  keyed_stream(detail::stream_end end, KeyOf key_of, std::vector<std::string> key_columns)
      : end_(std::move(end)), key_of_(std::move(key_of)), key_columns_(std::move(key_columns)), row_columns_(end_.columns) {
    end_.how = route::by_key;
    end_.routes = detail::keyed_routes<T>(key_of_);
    for (const auto& c : key_columns_) end_.key_text += (end_.key_text.empty() ? "" : ", ") + c;
  }

  /// One result for each key when the stream has ended: `keyed<K, R>{key, value}`, or what `f(key, value)` makes of them.
  /// An aggregate is a record with `add(row)`, or settings with `init()`, `add(state, row)` and `result(state)`.
  template <class A>
  auto aggregate(std::string name, A a) const {
    return aggregated(std::move(name), std::move(a), nullptr);
  }
  template <class A, class F>
  auto aggregate(std::string name, A a, F f) const {
    return aggregated(std::move(name), std::move(a), std::move(f));
  }
  template <class A>
    requires(!std::is_convertible_v<const A&, std::string>)
  auto aggregate(A a) const {
    return aggregated({}, std::move(a), nullptr);
  }

  /// The aggregate so far after each row, as `keyed<K, R>{key, value}`, or what `f(key, value)` makes of them.
  template <class A>
  auto running(std::string name, A a) const {
    return run(std::move(name), std::move(a), nullptr);
  }
  template <class A, class F>
  auto running(std::string name, A a, F f) const {
    return run(std::move(name), std::move(a), std::move(f));
  }
  template <class A>
    requires(!std::is_convertible_v<const A&, std::string>)
  auto running(A a) const {
    return run({}, std::move(a), nullptr);
  }

  /// After each row what `f(so_far, row)` made of it, as a row of the stream's own type; the first row of a key is itself.
  template <class F>
  stream<T, B> reduce(std::string name, F f) const {
    static_assert(std::is_invocable_r_v<T, const F&, const T&, const T&>, "reduce() takes f(const Row&, const Row&) that returns a row of the stream's own type");
    using A = detail::reduction<T, F>;
    using shape = detail::value_shape<T>;
    return next<T>({std::move(name), "reduce"},
                   [key_of = key_of_, f](const stage_context& ctx) {
                     return std::make_unique<running_stage<T, KeyOf, A, shape>>(key_of, A{f}, shape{}, ctx);
                   },
                   row_columns_);
  }
  template <class F>
  stream<T, B> reduce(F f) const {
    return reduce(std::string{}, std::move(f));
  }

  /// An operator of one's own, `sw::op<X>(arguments of its constructor)`; `X` derives from `sw::keyed_operator`.
  template <class X>
  auto process(std::string name, operator_recipe<X> op) const {
    static_assert(requires { typename X::key_type; }, "process() on a keyed stream takes an sw::keyed_operator");
    if constexpr (requires { typename X::key_type; }) {
      static_assert(std::is_same_v<typename X::key_type, K>, "process() takes an operator with the key type of the stream it is called on");
      static_assert(std::is_same_v<typename X::row_type, T>, "process() takes an operator for the row type of the stream it is called on");
      static_assert(detail::well_formed_query<X>(), "on_query() must be one public member function, not overloaded and not a template: Reply on_query(const Query&)");
      using Out = typename X::out_type;
      return next<Out>({std::move(name), "process"},
                       [key_of = key_of_, op](const stage_context& ctx) {
                         return std::make_unique<keyed_process_stage<T, KeyOf, X>>(key_of, op.make(), ctx);
                       },
                       column_names<Out>());
    }
  }

 private:
  template <class A>
  static constexpr bool is_aggregate = detail::aggregate_of<A, T>;

  template <class A, class F>
  auto aggregated(std::string name, A a, F f) const {
    static_assert(B == bounded, "aggregate() on an unbounded stream never finishes: call .window(...) first, or .running(...)");
    static_assert(is_aggregate<A>, "aggregate() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)");
    if constexpr (B == bounded && is_aggregate<A>)
      return shaped<aggregate_stage>({std::move(name), "aggregate"}, detail::bind_aggregate<A, T>(std::move(a)), std::move(f));
  }

  template <class A, class F>
  auto run(std::string name, A a, F f) const {
    static_assert(is_aggregate<A>, "running() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)");
    if constexpr (is_aggregate<A>)
      return shaped<running_stage>({std::move(name), "running"}, detail::bind_aggregate<A, T>(std::move(a)), std::move(f));
  }

  /// `A` is bound to the row type; without a function of the user's the row is `keyed<K, V>`.
  template <template <class, class, class, class> class Stage, class A, class F>
  auto shaped(detail::new_step s, A a, F f) const {
    using V = typename detail::result_row<typename detail::aggregate_traits<A, T>::result_type>::type;
    check_row<V>();
    if constexpr (std::is_null_pointer_v<F>) {
      auto columns = result_columns<V>(s.name);
      return with_shape<Stage>(std::move(s), std::move(a), detail::keyed_shape<K, V>{}, std::move(columns));
    } else {
      static_assert(std::is_invocable_v<const F&, const K&, const V&>, "the last argument makes the result row: f(const Key&, const Value&)");
      using shape = detail::own_shape<K, V, F>;
      check_row<typename shape::row>();
      return with_shape<Stage>(std::move(s), std::move(a), shape{std::move(f)}, column_names<typename shape::row>());
    }
  }

  template <template <class, class, class, class> class Stage, class A, class Shape>
  auto with_shape(detail::new_step s, A a, Shape shape, std::vector<std::string> columns) const {
    return next<typename Shape::row>(std::move(s),
                                     [key_of = key_of_, a, shape](const stage_context& ctx) {
                                       return std::make_unique<Stage<T, KeyOf, A, Shape>>(key_of, a, shape, ctx);
                                     },
                                     std::move(columns));
  }

  /// The key's columns, then the value's: a scalar's is called as the step is, rows of the input keep their names.
  template <class V>
  std::vector<std::string> result_columns(const std::string& step) const {
    auto columns = key_columns_;
    std::vector<std::string> value = column_names<V>();
    if constexpr (std::is_same_v<V, T>)
      value = row_columns_;
    else if constexpr (is_cell<V>)
      value = {step.empty() ? "value" : step};
    columns.insert(columns.end(), value.begin(), value.end());
    return columns;
  }

  template <class R, class Make>
  stream<R, B> next(detail::new_step s, Make make, std::vector<std::string> columns) const {
    s.stateful = true;
    s.detail = end_.key_text.empty() ? "" : "by " + end_.key_text;
    s.body = detail::make_operator(std::move(make));
    const auto name = s.name.empty() ? s.verb : s.name;
    check_columns(name, columns);
    return stream<R, B>{detail::add_step({end_}, std::move(s), std::move(columns))};
  }

  detail::stream_end end_;
  KeyOf key_of_;
  std::vector<std::string> key_columns_, row_columns_;
};

}  // namespace spillway
