#pragma once
#include <chrono>

namespace spillway {

/// Time as a job sees it: the machine's monotonic clock, or virtual time in tests.
class job_clock {
 public:
  virtual ~job_clock() = default;
  virtual std::chrono::steady_clock::time_point now() const = 0;
};

}  // namespace spillway
