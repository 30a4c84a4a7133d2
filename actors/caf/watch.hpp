#pragma once
#include "actors/job.hpp"

#include <chrono>
#include <string>

namespace spillway::detail {

/// Waits for the job's end; meanwhile shows its progress on stderr, unless `quiet`, and lets SIGINT cancel it. Returns `finished`
/// or `cancelled`; throws `job_failed`. Times count from `began`.
job_phase watch_job(job& j, const std::string& name, bool quiet, std::chrono::steady_clock::time_point began);

}  // namespace spillway::detail
