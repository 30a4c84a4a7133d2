#pragma once
#include "actors/job.hpp"

#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace spillway::detail {

/// Lines from the threads of a job for the one that prints.
class log_lines {
 public:
  void add(const std::string& line) {
    std::lock_guard lock{mutex_};
    lines_.push_back(line);
  }
  std::vector<std::string> take() {
    std::lock_guard lock{mutex_};
    return std::exchange(lines_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

/// Waits for the job's end; meanwhile shows its progress on stderr, unless `quiet`, and lets SIGINT cancel it. Returns `finished`
/// or `cancelled`; throws `job_failed`. Times count from `began`. Lines of `log` are shown as they come, also if `quiet`.
job_phase watch_job(job& j, const std::string& name, bool quiet, std::chrono::steady_clock::time_point began, log_lines& log);

}  // namespace spillway::detail
