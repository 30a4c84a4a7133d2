#pragma once
// The pipeline API: everything a pipeline is composed of, and what starts it. Free of CAF and LMDB.
#include "actors/aggregates.hpp"
#include "actors/app/app.hpp"
#include "actors/job.hpp"
#include "actors/keyed_stream.hpp"
#include "actors/options.hpp"
#include "actors/sinks/to_callback.hpp"
#include "actors/sinks/to_csv.hpp"
#include "actors/sinks/to_csv_parts.hpp"
#include "actors/sinks/to_jsonl.hpp"
#include "actors/sinks/to_jsonl_parts.hpp"
#include "actors/sinks/to_stdout.hpp"
#include "actors/sinks/to_tcp.hpp"
#include "actors/sinks/to_vector.hpp"
#include "actors/sources/csv.hpp"
#include "actors/sources/generator.hpp"
#include "actors/sources/jsonl.hpp"
#include "actors/sources/push.hpp"
#include "actors/sources/tail.hpp"
#include "actors/sources/tail_jsonl.hpp"
#include "actors/sources/tcp.hpp"
#include "actors/sources/vector.hpp"
#include "actors/source_body.hpp"
#include "actors/stream.hpp"
#include "messages/parse_time.hpp"

#include <concepts>

namespace spillway {

namespace detail {

/// Stops compilation with one sentence if `Source` is no description of a source.
template <class Source>
consteval bool check_source() {
  constexpr bool described_as_source = requires {
    typename Source::row;
    Source::bounds;
  };
  static_assert(described_as_source,
                "read() takes a source, such as sw::csv<Row>{.path = ...}: this type says no `row` or `bounds`");
  if constexpr (described_as_source) {
    if constexpr (check_row<typename Source::row>()) {
      using reader = std::unique_ptr<source_reader<typename Source::row>>;
      constexpr bool in_splits = requires(const Source& s, const source_context& ctx) { s.splits(ctx); };
      if constexpr (in_splits) {
        constexpr bool opens = requires(const Source& s, const split& part, const source_context& ctx) {
          { s.open(part, ctx) } -> std::convertible_to<reader>;
        };
        static_assert(opens,
                      "read() takes a source: this one has splits(), but no open(const sw::split&, const sw::source_context&) "
                      "const that gives a std::unique_ptr<sw::source_reader<row>>");
        return opens;
      } else {
        constexpr bool opens = requires(const Source& s, const source_context& ctx) {
          { s.open(ctx) } -> std::convertible_to<reader>;
        };
        static_assert(opens,
                      "read() takes a source: this one has no open(const sw::source_context&) const that gives a "
                      "std::unique_ptr<sw::source_reader<row>>");
        return opens;
      }
    }
  }
  return false;
}

}  // namespace detail

/// A graph of steps under construction: a plain value, nothing runs before `start`.
class pipeline {
 public:
  pipeline() : graph_(detail::new_graph()) {}

  /// Adds a source, such as `sw::csv<flight>{.path = "flights.csv"}`. Its name may come first.
  template <class Source>
  auto read(detail::step_name name, Source source) {
    if constexpr (detail::check_source<Source>()) {
      using T = typename Source::row;
      detail::new_step s{std::move(name.text), detail::verb_of<Source>("read")};
      s.max_parallelism = detail::max_parallelism_of<Source>();
      s.blocking = detail::blocking_of<Source>();
      s.file = detail::file_of(source);
      s.unbounded = Source::bounds == unbounded;
      if constexpr (requires { source.bad; }) s.bad = source.bad;
      std::any time;
      if constexpr (requires { source.time; })
        if (source.time) time = source.time;
      if constexpr (requires { source.from; }) s.after_history = source.from.is == start_point::kind::after_history;
      const auto after_history = s.after_history;
      s.body = detail::source_body_for(std::move(source));
      auto end = detail::add_source(graph_, std::move(s), column_names<T>());
      end.time_of = std::move(time);
      end.after_history = after_history;
      return stream<T, Source::bounds>{std::move(end)};
    } else {
      return detail::misused{};
    }
  }
  template <class Source>
  auto read(Source source) {
    return read(detail::step_name{}, std::move(source));
  }

  /// The steps so far.
  const job_graph& graph() const noexcept { return *graph_; }

 private:
  std::shared_ptr<job_graph> graph_;
};

/// Starts the job and returns at once. Throws `pipeline_error`, and `job_failed` if there is no thread for it.
job start(const pipeline& p, const options& how = {});

/// Starts the job and waits for its end. Throws `pipeline_error` and `job_failed`.
job_phase run(const pipeline& p, const options& how = {});

/// Steps, chains, exchanges and parallelism as text, without running anything. Throws `pipeline_error`.
std::string explain(const pipeline& p, const options& how = {});

}  // namespace spillway
