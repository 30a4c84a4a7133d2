#pragma once
// What the pipeline API puts into the graph: how sources, stages and routers are made, their row types erased.
#include "actors/exchange/output_side.hpp"
#include "actors/task/source_head.hpp"
#include "actors/task/stage.hpp"
#include "scheduler/graph.hpp"

namespace spillway {

struct source_body : step_body {
  bool unbounded = false;
  /// Split number n is read by subtask n modulo the parallelism; otherwise by whoever asks next.
  bool fixed = false;
  bool tells_backlog = false;

  /// Throws `pipeline_error` or `data_error` if the source cannot be read at all, before anything runs.
  virtual void check() const {}
  /// What a job holds from its start to the end of the source's readers, or to its own where none comes about.
  virtual std::shared_ptr<const void> attach() const { return {}; }
  virtual std::unique_ptr<split_list> splits(const source_context& context) const = 0;
  virtual std::unique_ptr<source_head> open(const split& s, const source_context& context) const = 0;
};

struct operator_body : step_body {
  virtual std::unique_ptr<stage> make(const stage_context& context) const = 0;
};

struct route_body : edge_body {
  virtual std::unique_ptr<router> make(route how, const router_context& context) const = 0;
};

}  // namespace spillway
