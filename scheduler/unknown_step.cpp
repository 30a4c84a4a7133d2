#include "scheduler/unknown_step.hpp"

#include "messages/nearest.hpp"

namespace spillway {

std::string unknown_step_text(const job_graph& graph, const std::string& wanted, const std::string& job) {
  std::vector<std::string> names;
  for (const auto& s : graph.steps) names.push_back(s.name);
  const auto text = "there is no step '" + wanted + "' in job '" + job + "'";
  const auto meant = nearest(wanted, names);
  return meant ? text + "\n  help: did you mean '" + *meant + "'?" : text;
}

}  // namespace spillway
