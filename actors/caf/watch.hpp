#pragma once
#include "actors/job.hpp"

#include <string>

namespace spillway::detail {

/// Waits for the job's end; meanwhile shows its progress on stderr, unless `quiet`, and lets SIGINT cancel it. Returns `finished`
/// or `cancelled`; throws `job_failed`.
job_phase watch_job(job& j, const std::string& name, bool quiet);

}  // namespace spillway::detail
