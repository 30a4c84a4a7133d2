#pragma once
// The pipeline API: everything a pipeline is composed of, and what starts it. Free of CAF and LMDB.
#include "actors/aggregates.hpp"
#include "actors/app.hpp"
#include "actors/job.hpp"
#include "actors/keyed_stream.hpp"
#include "actors/options.hpp"
#include "actors/sinks/to_callback.hpp"
#include "actors/sinks/to_csv.hpp"
#include "actors/sinks/to_stdout.hpp"
#include "actors/sinks/to_vector.hpp"
#include "actors/sources/csv.hpp"
#include "actors/sources/generator.hpp"
#include "actors/sources/vector.hpp"
#include "actors/stream.hpp"
#include "messages/parse_time.hpp"

namespace spillway {

/// A graph of steps under construction: a plain value, nothing runs before `start`.
class pipeline {
 public:
  pipeline() : graph_(std::make_shared<job_graph>()) {}

  /// Adds a source, such as `sw::csv<flight>{.path = "flights.csv"}`. Its name may come first.
  template <class Source>
  auto read(std::string name, Source source) {
    static_assert(requires { typename Source::row; Source::bounds; }, "read() takes a source, such as sw::csv<Row>{.path = ...}: this type says no `row` or `bounds`");
    if constexpr (requires { typename Source::row; Source::bounds; }) {
      using T = typename Source::row;
      check_row<T>();
      auto body = std::make_shared<source_body>();
      body->open = [source](const source_context& ctx) { return std::make_unique<source_head_of<T>>(source.open(ctx)); };
      if constexpr (requires { source.check(); }) body->check = [source] { source.check(); };
      detail::new_step s{std::move(name), detail::verb_of<Source>("read")};
      s.max_parallelism = detail::max_parallelism_of<Source>();
      s.blocking = detail::blocking_of<Source>();
      s.unbounded = Source::bounds == unbounded;
      s.body = std::move(body);
      return stream<T, Source::bounds>{detail::add_source(graph_, std::move(s), column_names<T>())};
    }
  }
  template <class Source>
  auto read(Source source) {
    return read(std::string{}, std::move(source));
  }

  /// The steps so far.
  const job_graph& graph() const noexcept { return *graph_; }

 private:
  std::shared_ptr<job_graph> graph_;
};

/// Starts the job and returns at once. Throws `pipeline_error`.
job start(const pipeline& p, const options& how = {});

/// Starts the job and waits for its end. Throws `pipeline_error` and `job_failed`.
job_phase run(const pipeline& p, const options& how = {});

/// Steps, chains, exchanges and parallelism as text, without running anything. Throws `pipeline_error`.
std::string explain(const pipeline& p, const options& how = {});

}  // namespace spillway
