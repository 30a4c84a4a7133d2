#pragma once
// From steps to tasks: which steps are chained, how many subtasks each task has, and how they are joined.
#include "scheduler/graph.hpp"

#include <string>
#include <vector>

namespace spillway {

/// What a plan depends on besides the graph.
struct plan_options {
  std::uint32_t parallelism = 1;
  /// Key groups; 0: `key_groups::default_count` of the largest parallelism.
  std::uint32_t max_parallelism = 0;
};

/// A chain of steps that runs as one actor for each subtask.
struct task_vertex {
  vertex_id id;
  std::vector<step_id> steps;
  std::uint32_t parallelism = 1;
  bool blocking = false;
  /// In the order of their inputs.
  std::vector<edge_id> inputs, outputs;
};

struct task_edge {
  edge_id id;
  vertex_id from, to;
  route how = route::forward;
  std::uint32_t input = 0;
  std::string detail;
  std::shared_ptr<const edge_body> body;
  /// Which step of `from` gives the rows, and at which of its side outputs (0: the main one).
  step_id step{};
  std::uint32_t side = 0;
};

struct execution_plan {
  job_graph graph;
  std::vector<task_vertex> vertices;
  std::vector<task_edge> edges;
  std::uint32_t key_groups = 128;

  const task_vertex& at(vertex_id id) const { return vertices[id.value]; }
  const task_edge& at(edge_id id) const { return edges[id.value]; }

  /// The names of the steps of a task, joined by " -> ".
  std::string name_of(vertex_id id) const;

  /// The subtasks that must report before the source `step` is opened.
  std::uint32_t reports_before(step_id step) const;

  /// The task that runs `step`.
  vertex_id vertex_of(step_id step) const;
};

/// Throws `pipeline_error` for a graph that cannot run: no step, two steps of one name, a stream that nobody uses, a parallelism
/// of 0 or beyond the key groups, key groups that are not a power of two.
execution_plan plan_of(job_graph graph, const plan_options& options);

/// The plan as text: a line a step, a line an exchange, grouped by task.
std::string explain(const execution_plan& plan);

}  // namespace spillway
