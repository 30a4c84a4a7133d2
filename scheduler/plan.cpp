#include "scheduler/plan.hpp"

#include "messages/errors.hpp"
#include "messages/key.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>
#include <utility>

namespace spillway {

namespace {

void check_names(const job_graph& graph) {
  std::unordered_map<std::string, const step*> seen;
  for (const auto& s : graph.steps)
    if (auto [at, fresh] = seen.emplace(s.name, &s); !fresh)
      throw pipeline_error(
          "two steps are named '" + s.name + "' (" + at->second->verb + " and " + s.verb +
          "): a step's name is its identity\n  help: give one of them another name as the verb's first argument");
}

void check_uses(const job_graph& graph) {
  if (graph.steps.empty()) throw pipeline_error("the pipeline has no steps\n  help: begin with p.read(...)");
  std::vector<bool> used(graph.steps.size());
  std::set<std::pair<std::uint32_t, std::uint32_t>> sides;
  for (const auto& e : graph.edges) e.side == 0 ? void(used[e.from.value] = true) : void(sides.emplace(e.from.value, e.side));
  for (std::size_t i = 0; i < graph.steps.size(); ++i)
    if (!used[i] && graph.steps[i].kind != step_kind::sink)
      throw pipeline_error("nothing uses the rows of step '" + graph.steps[i].name + "'\n  help: end it with .write(...)");
  for (std::uint32_t i = 0; i < graph.steps.size(); ++i)
    for (std::uint32_t side = 1; side <= graph.steps[i].sides.size(); ++side)
      if (!sides.contains({i, side}))
        throw pipeline_error("nothing uses the side output '" + graph.steps[i].sides[side - 1] + "' of step '" +
                             graph.steps[i].name + "'\n  help: end stream.side(...) with .write(...)");
}

/// A source that reads some of the history again has a history, and its rows are deduplicated.
void check_overlaps(const job_graph& graph) {
  for (const auto& s : graph.steps) {
    if (!s.after_history) continue;
    if (s.opened_by.empty())
      throw pipeline_error("step '" + s.name +
                           "' begins after the history, but has none\n  help: read it as the second part of "
                           "history.then(live)");
    for (auto then : s.opened_by)
      for (const auto& e : graph.edges)
        if (e.from == then && graph.at(e.to).verb != "deduplicate_by")
          throw pipeline_error("step '" + s.name + "' reads some of the history again, and '" + graph.at(e.to).name +
                               "' would see those rows twice\n  help: call .deduplicate_by(key, within) on '" +
                               graph.at(then).name + "' first");
  }
}

/// Each of two tasks joined by key has a channel to each subtask of the other: beyond this they cost gigabytes.
constexpr std::uint32_t most_subtasks = 1024;

std::vector<std::uint32_t> parallelisms(const job_graph& graph, std::uint32_t by_default) {
  std::vector<std::uint32_t> p;
  for (const auto& s : graph.steps) {
    if (s.max_parallelism > 0 && s.parallelism > s.max_parallelism)
      throw pipeline_error("step '" + s.name + "' cannot have parallelism " + std::to_string(s.parallelism) + ": its " + s.verb +
                           " runs at " + std::to_string(s.max_parallelism) + " at most");
    auto n = s.parallelism > 0 ? s.parallelism : by_default;
    if (s.max_parallelism > 0) n = std::min(n, s.max_parallelism);
    if (n > most_subtasks)
      throw pipeline_error("step '" + s.name + "' cannot have parallelism " + std::to_string(n) + ": " +
                           std::to_string(most_subtasks) + " is the most");
    p.push_back(n);
  }
  return p;
}

/// Steps of one task: joined by the only edge out of the one and into the other, at equal parallelism, on threads of one kind.
class chainer {
 public:
  chainer(const job_graph& graph, const std::vector<std::uint32_t>& p) : graph_(graph), p_(p) {
    out_.resize(graph.steps.size());
    in_.resize(graph.steps.size());
    for (const auto& e : graph.edges) out_[e.from.value] += e.side == 0, ++in_[e.to.value];
  }

  bool chained(const stream_edge& e) const {
    const auto& from = graph_.at(e.from);
    const auto& to = graph_.at(e.to);
    const bool same_thread = !to.blocking && (!from.blocking || from.kind == step_kind::source);
    return e.side == 0 && route_of(e) == route::forward && out_[e.from.value] == 1 && in_[e.to.value] == 1 && same_thread;
  }

  route route_of(const stream_edge& e) const {
    if (e.how != route::automatic) return e.how;
    return p_[e.from.value] == p_[e.to.value] ? route::forward : route::rebalance;
  }

 private:
  const job_graph& graph_;
  const std::vector<std::uint32_t>& p_;
  std::vector<int> out_, in_;
};

std::uint32_t groups_for(const plan_options& options, std::uint32_t largest) {
  const auto groups = options.max_parallelism > 0 ? options.max_parallelism : key_groups::default_count(largest);
  if (!std::has_single_bit(groups))
    throw pipeline_error("pipeline.max-parallelism is " + std::to_string(groups) + ": it must be a power of two, such as " +
                         std::to_string(std::bit_ceil(groups)));
  if (groups < largest)
    throw pipeline_error("pipeline.max-parallelism is " + std::to_string(groups) + ", but a step has parallelism " +
                         std::to_string(largest) + "\n  help: raise pipeline.max-parallelism or lower the parallelism");
  return groups;
}

}  // namespace

execution_plan plan_of(job_graph graph, const plan_options& options) {
  if (options.parallelism == 0) throw pipeline_error("the parallelism is 0: it must be at least 1");
  check_uses(graph);
  check_names(graph);
  check_overlaps(graph);
  const auto p = parallelisms(graph, options.parallelism);

  execution_plan plan;
  plan.key_groups = groups_for(options, *std::max_element(p.begin(), p.end()));
  const chainer chains{graph, p};

  std::vector<vertex_id> vertex_of(graph.steps.size());
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    const auto chained =
        std::find_if(graph.edges.begin(), graph.edges.end(), [&](const auto& e) { return e.to.value == s && chains.chained(e); });
    if (chained != graph.edges.end()) {
      vertex_of[s] = vertex_of[chained->from.value];
    } else {
      vertex_of[s] = vertex_id{static_cast<std::uint32_t>(plan.vertices.size())};
      plan.vertices.push_back({vertex_of[s], {}, p[s], false, {}, {}});
    }
    auto& v = plan.vertices[vertex_of[s].value];
    v.steps.push_back({s});
    v.blocking = v.blocking || (graph.steps[s].blocking && graph.steps[s].kind != step_kind::source);
  }
  for (const auto& e : graph.edges) {
    if (chains.chained(e)) continue;
    const auto id = edge_id{static_cast<std::uint32_t>(plan.edges.size())};
    plan.edges.push_back(
        {id, vertex_of[e.from.value], vertex_of[e.to.value], chains.route_of(e), e.input, e.detail, e.body, e.from, e.side});
    plan.vertices[vertex_of[e.from.value].value].outputs.push_back(id);
    plan.vertices[vertex_of[e.to.value].value].inputs.push_back(id);
  }
  plan.graph = std::move(graph);
  return plan;
}

std::string execution_plan::name_of(vertex_id id) const {
  std::string name;
  for (auto s : at(id).steps) name += (name.empty() ? "" : " -> ") + graph.at(s).name;
  return name;
}

std::uint32_t execution_plan::reports_before(step_id step) const {
  std::uint32_t n = 0;
  for (auto then : graph.at(step).opened_by) n += at(vertex_of(then)).parallelism;
  return n;
}

vertex_id execution_plan::vertex_of(step_id step) const {
  for (const auto& v : vertices)
    if (std::find(v.steps.begin(), v.steps.end(), step) != v.steps.end()) return v.id;
  return {};
}

}  // namespace spillway
