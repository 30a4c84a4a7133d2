#include "scheduler/plan.hpp"

namespace spillway {

namespace {

const char* route_text(route how) {
  switch (how) {
    case route::forward:
      return "forward";
    case route::rebalance:
      return "rebalance";
    case route::by_key:
      return "by key";
    case route::broadcast:
      return "broadcast";
    case route::automatic:
      return "automatic";
  }
  return "";
}

std::string step_line(const execution_plan& plan, const step& s) {
  auto line = "    " + s.name + ": " + s.verb;
  if (!s.detail.empty()) line += " " + s.detail;
  if (s.kind == step_kind::source) line += s.unbounded ? " (unbounded)" : " (bounded)";
  if (s.blocking) line += s.kind == step_kind::source ? ", reader on a thread of its own" : ", on a thread of its own";
  for (auto then : s.opened_by) line += ", opened when the first part of " + plan.graph.at(then).name + " has ended";
  if (s.bad.what() == bad_rows::policy::skip) line += ", bad rows skipped";
  if (s.bad.what() == bad_rows::policy::set_aside) line += ", bad rows to side '" + s.bad.to() + "'";
  if (s.derived_name) line += ", derived name";
  return line + "\n";
}

std::string edge_line(const execution_plan& plan, const task_edge& e) {
  auto line = "    <- task " + std::to_string(e.from.value + 1);
  if (e.side > 0) line += ", side '" + plan.graph.at(e.step).sides[e.side - 1] + "' of " + plan.graph.at(e.step).name;
  line += std::string{", pipelined, "} + route_text(e.how);
  if (!e.detail.empty()) line += " " + e.detail;
  const auto from = plan.at(e.from).parallelism, to = plan.at(e.to).parallelism;
  return line + " (" + std::to_string(from) + " to " + std::to_string(to) + ")\n";
}

}  // namespace

std::string explain(const execution_plan& plan) {
  std::string text = std::to_string(plan.graph.steps.size()) + " steps in " + std::to_string(plan.vertices.size()) +
                     " tasks; exchange: pipelined; key groups: " + std::to_string(plan.key_groups) + "\n";
  for (const auto& v : plan.vertices) {
    text += "  task " + std::to_string(v.id.value + 1) + ", parallelism " + std::to_string(v.parallelism) + "\n";
    for (auto e : v.inputs) text += edge_line(plan, plan.at(e));
    for (auto s : v.steps) text += step_line(plan, plan.graph.at(s));
  }
  return text;
}

}  // namespace spillway
