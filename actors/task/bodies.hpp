#pragma once
// What the pipeline API puts into the graph: how sources, stages and routers are made, their row types erased.
#include "actors/exchange/output_side.hpp"
#include "actors/task/source_head.hpp"
#include "actors/task/stage.hpp"
#include "scheduler/graph.hpp"

#include <functional>

namespace spillway {

struct source_body final : step_body {
  std::function<std::unique_ptr<source_head>(const source_context&)> open;
  /// Throws `pipeline_error` or `data_error` if the source cannot be read at all, before anything runs. May be empty.
  std::function<void()> check;
};

struct operator_body final : step_body {
  std::function<std::unique_ptr<stage>(const stage_context&)> make;
};

struct route_body final : edge_body {
  std::function<std::unique_ptr<router>(route how, const router_context&)> make;
};

}  // namespace spillway
