#pragma once
// The typed handle of a step's output, and the verbs that add steps behind it.
#include "actors/compose.hpp"
#include "actors/keys.hpp"
#include "actors/operators/filter.hpp"
#include "actors/operators/flat_map.hpp"
#include "actors/operators/map.hpp"
#include "actors/operators/process.hpp"
#include "actors/operators/write.hpp"
#include "messages/columns.hpp"

namespace spillway {

template <class K, class T, boundedness B, class KeyOf>
class keyed_stream;

/// Rows of type `T`, `bounded` or `unbounded`. A value: copies stand for the same rows, and a stream used twice is read once.
/// Each verb adds a step; its name may come first. Steps are compared, restored and inspected by name.
template <class T, boundedness B>
class stream {
 public:
  using row_type = T;
  static constexpr auto bounds = B;

  explicit stream(detail::stream_end end) : end_(std::move(end)) {
    if (!end_.routes) end_.routes = detail::plain_routes<T>();
  }

  /// One row for each row: what `f(row)` returns.
  template <class F>
  auto map(std::string name, F f) const {
    using R = typename detail::result_of<const F, const T&>::type;
    static_assert(std::is_invocable_v<const F&, const T&>, "map() takes f(const Row&), with the row type of the stream it is called on");
    static_assert(!std::is_invocable_v<const F&, const T&> || !std::is_void_v<R>, "map() takes a function that returns the new row; this one returns nothing");
    if constexpr (std::is_invocable_v<const F&, const T&> && !std::is_void_v<R>) {
      check_row<R>();
      return next<R>({std::move(name), "map"}, [f](const stage_context&) { return std::make_unique<map_stage<T, R, F>>(f); },
                     column_names<R>());
    }
  }
  template <class F>
  auto map(F f) const {
    return map(std::string{}, std::move(f));
  }

  /// The rows for which `f(row)` is true.
  template <class F>
  stream filter(std::string name, F f) const {
    static_assert(std::is_invocable_r_v<bool, const F&, const T&>, "filter() takes f(const Row&) that returns true for the rows to keep");
    return next<T>({std::move(name), "filter"}, [f](const stage_context&) { return std::make_unique<filter_stage<T, F>>(f); },
                   end_.columns);
  }
  template <class F>
  stream filter(F f) const {
    return filter(std::string{}, std::move(f));
  }

  /// Any number of rows for each row: `f(row, out)` calls `out(row)`, where `out` is an `sw::out<R>&`.
  template <class F>
  auto flat_map(std::string name, F f) const {
    using R = typename detail::given_rows<F>::type;
    static_assert(!std::is_void_v<R>, "flat_map() takes f(const Row&, sw::out<R>&): write the type R of the rows it gives, not auto");
    if constexpr (!std::is_void_v<R>) {
      static_assert(std::is_invocable_v<F&, const T&, out<R>&>, "flat_map() takes f(const Row&, sw::out<R>&), with the row type of the stream it is called on");
      check_row<R>();
      return next<R>({std::move(name), "flat_map"}, [f](const stage_context&) { return std::make_unique<flat_map_stage<T, R, F>>(f); },
                     column_names<R>());
    }
  }
  template <class F>
  auto flat_map(F f) const {
    return flat_map(std::string{}, std::move(f));
  }

  /// An operator of one's own without keys, `sw::op<X>(arguments of its constructor)`; `X` derives from `sw::stream_operator`.
  template <class X>
  auto process(std::string name, operator_recipe<X> op) const {
    using In = typename X::row_type;
    using Out = typename X::out_type;
    static_assert(std::is_base_of_v<stream_operator<In, Out>, X>, "process() on a stream without keys takes an sw::stream_operator: call .key_by(...) first");
    static_assert(std::is_same_v<In, T>, "process() takes an operator for the row type of the stream it is called on");
    return next<Out>({std::move(name), "process"},
                     [op](const stage_context&) { return std::make_unique<process_stage<X>>(op.make()); }, column_names<Out>());
  }

  /// The rows of this and of other streams of the same row type, in no order between them.
  template <boundedness... Bs>
  auto union_with(std::string name, const stream<T, Bs>&... others) const {
    constexpr auto all = ((B == unbounded) || ... || (Bs == unbounded)) ? unbounded : bounded;
    auto body = detail::make_operator([](const stage_context&) { return std::make_unique<pass_stage>(); });
    detail::new_step s{std::move(name), "union_with"};
    s.body = std::move(body);
    return stream<T, all>{detail::add_step({end_, others.end()...}, std::move(s), end_.columns)};
  }
  template <class U, boundedness B2, class... More>
  auto union_with(const stream<U, B2>& other, const More&... more) const {
    static_assert(std::is_same_v<T, U>, "union_with() joins streams of one row type: map one of them first");
    return union_with(std::string{}, other, more...);
  }

  /// Groups rows by key: members of the row (`&flight::origin`), functions of it, or `sw::key("column", f)`. Several give a tuple;
  /// none makes one group of the whole stream. Equal keys meet in one subtask.
  template <class... Ks>
  auto key_by(Ks... keys) const {
    static_assert(!(std::is_convertible_v<const Ks&, std::string> || ...), "key_by() takes members of the row or functions of it, not names: &row::member, or sw::key(\"column\", f)");
    static_assert((... && (std::is_convertible_v<const Ks&, std::string> || detail::key_of_row<Ks, T>)),
                  "key_by() takes members of the row or functions of it: this key cannot be read from the stream's row type");
    if constexpr ((... && detail::key_of_row<Ks, T>)) {
      using reader = detail::key_reader<detail::key_function_of<Ks>...>;
      using K = std::remove_cvref_t<std::invoke_result_t<const reader&, const T&>>;
      static_assert(record<K>, "key_by() takes keys that own their data: a string, a number, an enum, a time, or a described struct of them");
      std::vector<std::string> columns;
      (append(columns, detail::key_columns<T>(keys)), ...);
      return keyed_stream<K, T, B, reader>{end_, reader{{detail::key_function(keys)...}}, std::move(columns)};
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
    return std::invoke(std::forward<F>(f), *this);
  }

  /// Ends in a sink, such as `sw::to_csv{"out.csv"}`.
  template <class Sink>
  void write(std::string name, Sink sink) const {
    static_assert(requires(const Sink& d, const sink_context& ctx) { d.template open<T>(ctx); },
                  "write() takes a sink, such as sw::to_csv{path}: this type has no open<Row>(const sink_context&)");
    if constexpr (requires(const Sink& d, const sink_context& ctx) { d.template open<T>(ctx); }) {
      detail::new_step s{std::move(name), detail::verb_of<Sink>("write")};
      s.kind = step_kind::sink;
      s.max_parallelism = detail::max_parallelism_of<Sink>();
      s.blocking = detail::blocking_of<Sink>();
      s.body = detail::make_operator([sink, columns = end_.columns](const stage_context& ctx) -> std::unique_ptr<stage> {
        return std::make_unique<write_stage<T>>(sink.template open<T>(sink_context{ctx.step, ctx.subtask, ctx.parallelism, columns}));
      });
      detail::add_step({end_}, std::move(s), {});
    }
  }
  template <class Sink>
  void write(Sink sink) const {
    write(std::string{}, std::move(sink));
  }

  /// The flat columns of its rows, as sinks name them.
  const std::vector<std::string>& columns() const noexcept { return end_.columns; }

  /// For verbs of the library's own.
  const detail::stream_end& end() const noexcept { return end_; }

 private:
  template <class R, class Make>
  stream<R, B> next(detail::new_step s, Make make, std::vector<std::string> columns) const {
    s.body = detail::make_operator(std::move(make));
    return stream<R, B>{detail::add_step({end_}, std::move(s), std::move(columns))};
  }

  stream handed_over(route how) const {
    auto s = *this;
    s.end_.how = how;
    return s;
  }

  static void append(std::vector<std::string>& all, std::vector<std::string> more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  detail::stream_end end_;
};

}  // namespace spillway
