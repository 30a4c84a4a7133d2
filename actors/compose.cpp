#include "actors/compose.hpp"

#include "messages/errors.hpp"

#include <algorithm>

namespace spillway::detail {

namespace {

bool taken(const job_graph& graph, const std::string& name) {
  return std::any_of(graph.steps.begin(), graph.steps.end(), [&](const step& s) { return s.name == name; });
}

/// From the verb and the inputs' names. Steps without state that would share a name get a number; those with state may not, as a
/// number would move when the pipeline changes.
std::string derived_name(const job_graph& graph, const new_step& s, const std::vector<stream_end>& inputs) {
  std::string name;
  for (const auto& in : inputs) name += (name.empty() ? "" : ", ") + graph.at(in.from).name;
  name = inputs.empty() ? s.verb : s.verb + "(" + name + ")";
  if (!taken(graph, name)) return name;
  if (s.stateful)
    throw pipeline_error("there are two steps " + name + " without a name\n  help: name them: ." + s.verb + "(\"name\", ...)");
  int n = 2;
  while (taken(graph, name + " #" + std::to_string(n))) ++n;
  return name + " #" + std::to_string(n);
}

step_id append(job_graph& graph, new_step s, const std::vector<stream_end>& inputs) {
  const bool derived = s.name.empty();
  if (derived) s.name = derived_name(graph, s, inputs);
  const step_id id{static_cast<std::uint32_t>(graph.steps.size())};
  graph.steps.push_back({std::move(s.name), std::move(s.verb), std::move(s.detail), s.kind, 0, s.max_parallelism, s.blocking,
                         s.unbounded, derived, std::move(s.body), std::move(s.file)});
  return id;
}

}  // namespace

stream_end add_source(const std::shared_ptr<job_graph>& graph, new_step s, std::vector<std::string> columns) {
  s.kind = step_kind::source;
  const auto id = append(*graph, std::move(s), {});
  return {graph, id, route::automatic, "", nullptr, std::move(columns)};
}

stream_end add_step(const std::vector<stream_end>& inputs, new_step s, std::vector<std::string> columns) {
  const auto& graph = inputs.front().graph;
  for (const auto& in : inputs)
    if (in.graph != graph) throw pipeline_error("." + s.verb + "() joins streams of two pipelines: they must be of one");
  const auto id = append(*graph, std::move(s), inputs);
  std::uint32_t input = 0;
  for (const auto& in : inputs) graph->edges.push_back({in.from, id, in.how, input++, in.key_text, in.routes});
  return {graph, id, route::automatic, "", nullptr, std::move(columns)};
}

std::shared_ptr<const route_body> plain_routes() {
  auto body = std::make_shared<route_body>();
  body->make = [](route how, const router_context& ctx) -> std::unique_ptr<router> {
    switch (how) {
      case route::rebalance:
        return std::make_unique<rebalance_router>(ctx);
      case route::broadcast:
        return std::make_unique<broadcast_router>();
      default:
        return std::make_unique<forward_router>(ctx);
    }
  };
  return body;
}

void set_parallelism(const stream_end& end, std::uint32_t n) {
  auto& s = end.graph->steps[end.from.value];
  if (n == 0) throw pipeline_error("step '" + s.name + "': its parallelism is 0, but it must be at least 1");
  s.parallelism = n;
}

}  // namespace spillway::detail
