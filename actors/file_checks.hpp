#pragma once
#include "scheduler/graph.hpp"

#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Throws `pipeline_error` if a sink cannot write its file by the kind of what is there, or would write over a file that another
/// step reads or writes. Looks at the files and touches none.
void check_files(const job_graph& graph);

/// For each sink whose file is whole only at an end that never comes, the sink's name and what to do: a line for the job's log.
std::vector<std::pair<std::string, std::string>> endless_files(const job_graph& graph);

}  // namespace spillway
