#pragma once
// The typed handle of a step's output, and the verbs that add steps behind it.
#include "actors/compose.hpp"
#include "actors/keys.hpp"
#include "actors/operators/filter.hpp"
#include "actors/operators/flat_map.hpp"
#include "actors/operators/map.hpp"
#include "actors/operators/process.hpp"
#include "actors/operators/then.hpp"
#include "actors/operators/write.hpp"
#include "actors/verb_checks.hpp"
#include "messages/columns.hpp"

namespace spillway {

template <class T, boundedness B>
class stream;
template <class K, class T, boundedness B, class KeyOf>
class keyed_stream;

namespace detail {

/// The time of the rows of `live`, which begins where the history has ended. Throws `pipeline_error` if it is not known.
template <class T>
row_time<T> time_after(const stream_end& live) {
  if (const auto* time = std::any_cast<row_time<T>>(&live.time_of)) return *time;
  throw_no_time(live);
}

template <class S, class T>
inline constexpr bool is_stream_of = false;
template <class T, boundedness B>
inline constexpr bool is_stream_of<stream<T, B>, T> = true;

}  // namespace detail

/// Rows of type `T`, `bounded` or `unbounded`. A value: copies stand for the same rows, and a stream used twice is read once.
/// Each verb adds a step; its name may come first. Steps are compared, restored and inspected by name.
template <class T, boundedness B>
class stream : public detail::needs_key {
  using step_name = detail::step_name;

 public:
  using row_type = T;
  static constexpr auto bounds = B;

  explicit stream(detail::stream_end end) : end_(std::move(end)) {}

  /// One row for each row: what `f(row)` returns. `f` keeps nothing between calls.
  template <class F>
  auto map(step_name name, F f) const {
    if constexpr (detail::check_map<F, T>()) {
      using R = std::remove_cvref_t<std::invoke_result_t<const F&, const T&>>;
      return next<R>(
          {std::move(name.text), "map"}, [f](const stage_context&) { return new map_stage<T, R, F>(f); }, column_names<R>());
    } else {
      return detail::misused{};
    }
  }
  template <class F>
  auto map(F f) const {
    return map(step_name{}, std::move(f));
  }

  /// The rows for which `f(row)` is true. `f` keeps nothing between calls.
  template <class F>
  stream filter(step_name name, F f) const {
    if constexpr (detail::check_filter<F, T>())
      return next<T>(
                 {std::move(name.text), "filter"}, [f](const stage_context&) { return new filter_stage<T, F>(f); }, end_.columns)
          .with_time_of(end_);
    else
      return *this;
  }
  template <class F>
  stream filter(F f) const {
    return filter(step_name{}, std::move(f));
  }

  /// Any number of rows for each row: `f(row, out)` calls `out(row)`, where `out` is an `sw::out<R>&`. `f` keeps nothing between
  /// calls.
  template <class F>
  auto flat_map(step_name name, F f) const {
    if constexpr (detail::check_flat_map<F, T>()) {
      using R = typename decltype(detail::given_rows<F>())::type;
      return next<R>(
          {std::move(name.text), "flat_map"}, [f](const stage_context&) { return new flat_map_stage<T, R, F>(f); },
          column_names<R>());
    } else {
      return detail::misused{};
    }
  }
  template <class F>
  auto flat_map(F f) const {
    return flat_map(step_name{}, std::move(f));
  }

  /// An operator of one's own without keys, `sw::op<X>(arguments of its constructor)`; `X` derives from `sw::stream_operator`.
  template <class Op>
  auto process(step_name name, Op op) const {
    if constexpr (detail::check_plain<Op, T>()) {
      using X = typename Op::type;
      using Out = typename X::out_type;
      return next<Out>(
          {std::move(name.text), "process"}, [op](const stage_context&) { return new process_stage<X>(op.make()); },
          column_names<Out>());
    } else {
      return detail::misused{};
    }
  }
  template <class Op>
  auto process(Op op) const {
    return process(step_name{}, std::move(op));
  }

  /// The rows of this and of other streams of the same row type, in no order between them.
  template <class First, class... Streams>
  auto union_with(const First& first, const Streams&... streams) const {
    if constexpr (detail::is_text<First>)
      return joined(first, streams...);
    else
      return joined({}, first, streams...);
  }

  /// The rows of this stream, and when it has ended those of `live`, which is not read before. The parts have the same row type;
  /// each may have steps of its own.
  template <boundedness L>
  auto then(step_name name, const stream<T, L>& live) const {
    static_assert(B == bounded, "then() reads its second part when the first has ended: this one never ends");
    const auto& second = live.end();
    const auto time = second.after_history ? detail::time_after<T>(second) : row_time<T>{};
    detail::new_step s{std::move(name.text), "then"};
    s.may_refuse = false;
    s.body = detail::make_operator([time](const stage_context&) { return new then_stage<T>(time); });
    auto end = detail::add_step({&end_, &second}, std::move(s), end_.columns);
    detail::open_in_turn(end, end_, second);
    return stream<T, L>{std::move(end)}.with_time_of(second);
  }
  template <boundedness L>
  auto then(const stream<T, L>& live) const {
    return then(step_name{}, live);
  }

  /// The first row of each key, and with `within` those that come more than that after the last one passed on, in the time of the
  /// rows (`.time` of their source). Without it every key is remembered for ever. The key is as in `key_by`, one of it.
  template <class First, class... Rest>
  stream deduplicate_by(First first, Rest... rest) const {
    if constexpr (detail::is_text<First>)
      return deduplicated(first, std::move(rest)...);
    else
      return deduplicated({}, std::move(first), std::move(rest)...);
  }

  /// What becomes of rows on which the code of the step that gives this stream throws: `sw::bad_rows::skip` or
  /// `sw::bad_rows::set_aside(side)`. What the code had changed before it threw stays changed.
  stream on_error(const bad_rows& how) const {
    detail::set_bad_rows(end_, how);
    return *this;
  }

  /// The rows for the side output `s` of the step that gives this stream.
  template <class S>
  stream<S, B> side(const spillway::side<S>& s) const {
    return stream<S, B>{detail::side_of(end_, s.name(), column_names<S>())};
  }

  /// Groups rows by key: members of the row (`&flight::origin`), functions of it, or `sw::key("column", f)`. Several give a
  /// tuple; none makes one group of the whole stream. Equal keys meet in one subtask.
  template <class... Ks>
  auto key_by(Ks... keys) const {
    if constexpr (detail::check_keys<T, Ks...>()) {
      using reader = detail::key_reader<detail::key_function_of<Ks>...>;
      using K = std::remove_cvref_t<std::invoke_result_t<const reader&, const T&>>;
      std::vector<std::string> columns;
      (detail::add_key_columns<T>(columns, keys), ...);
      return keyed_stream<K, T, B, reader>{end_, reader{{detail::key_function(keys)}...}, std::move(columns)};
    } else {
      return detail::misused{};
    }
  }

  /// Spreads the batches evenly over the subtasks of the next step.
  stream rebalance() const { return handed_over(route::rebalance); }

  /// Gives every row to every subtask of the next step.
  stream broadcast() const { return handed_over(route::broadcast); }

  /// Runs the step at `n` parallel subtasks instead of the job's number. `n` is at least 1.
  stream parallelism(std::uint32_t n) const {
    detail::set_parallelism(end_, n);
    return *this;
  }

  /// `f(*this)`: for parts of a pipeline that are functions.
  template <class F>
  auto apply(F&& f) const {
    static_assert(std::is_invocable_v<F, const stream&>, "apply() takes f(stream), such as a function of an auto stream");
    if constexpr (std::is_invocable_v<F, const stream&>)
      return std::invoke(std::forward<F>(f), *this);
    else
      return detail::misused{};
  }

  /// Ends in a sink, such as `sw::to_csv{"out.csv"}`.
  template <class Sink>
  void write(step_name name, Sink sink) const {
    if constexpr (detail::check_sink<Sink, T>()) {
      detail::new_step s{std::move(name.text), detail::verb_of<Sink>("write")};
      s.kind = step_kind::sink;
      s.max_parallelism = detail::max_parallelism_of<Sink>();
      s.blocking = detail::blocking_of<Sink>();
      s.file = detail::file_of(sink);
      s.body = detail::make_operator([sink, columns = end_.columns](const stage_context& ctx) {
        return new write_stage<T>(
            sink.template open<T>({ctx.step, ctx.subtask, ctx.parallelism, columns, false, ctx.stop, ctx.clock}));
      });
      detail::add_step({&end_}, std::move(s), {});
    }
  }
  template <class Sink>
  void write(Sink sink) const {
    write(step_name{}, std::move(sink));
  }

  /// The flat columns of its rows, as sinks name them.
  const std::vector<std::string>& columns() const noexcept { return end_.columns; }

  /// For verbs of the library's own.
  const detail::stream_end& end() const noexcept { return end_; }
  stream with_time_of(const detail::stream_end& other) const {
    auto s = *this;
    s.end_.time_of = other.time_of;
    s.end_.after_history = other.after_history;
    return s;
  }

 private:
  template <class R, class Make>
  stream<R, B> next(detail::new_step s, const Make& make, std::vector<std::string> columns) const {
    s.body = detail::make_operator(make);
    return stream<R, B>{detail::add_step({&end_}, std::move(s), std::move(columns))};
  }

  template <class... Streams>
  auto joined(step_name name, const Streams&... others) const {
    constexpr bool fits = (... && detail::is_stream_of<Streams, T>);
    static_assert(sizeof...(Streams) > 0, "union_with() takes the other streams");
    static_assert(fits, "union_with() joins streams of one row type: map one of them first");
    if constexpr (fits) {
      constexpr auto all = ((B == unbounded) || ... || (Streams::bounds == unbounded)) ? unbounded : bounded;
      detail::new_step s{std::move(name.text), "union_with"};
      s.may_refuse = false;
      s.body = detail::make_operator([](const stage_context&) { return new pass_stage; });
      return stream<T, all>{detail::add_step({&end_, &others.end()...}, std::move(s), end_.columns)};
    } else {
      return *this;
    }
  }

  template <class Key>
  stream deduplicated(step_name name, Key key, std::optional<std::chrono::microseconds> within = {}) const {
    if constexpr (detail::check_keys<T, Key>())
      return key_by(std::move(key)).deduplicated(std::move(name), within);
    else
      return *this;
  }

  stream handed_over(route how) const {
    auto s = *this;
    s.end_.how = how;
    return s;
  }

  detail::stream_end end_;
};

}  // namespace spillway
