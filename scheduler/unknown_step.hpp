#pragma once
#include "scheduler/graph.hpp"

#include <string>

namespace spillway {

/// Says that `job` has no step of that name, with the name that was probably meant.
std::string unknown_step_text(const job_graph& graph, const std::string& wanted, const std::string& job);

}  // namespace spillway
