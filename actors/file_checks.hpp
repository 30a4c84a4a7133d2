#pragma once
#include "scheduler/graph.hpp"

namespace spillway {

/// Throws `pipeline_error` if a sink cannot write its file by the kind of what is there, or would write over a file that another
/// step reads or writes. Looks at the files and touches none.
void check_files(const job_graph& graph);

}  // namespace spillway
