#pragma once
#include <stdexcept>
#include <string>

namespace spillway {

/// A mistake in composing or configuring a pipeline. The text names the step or option, and what to do.
class pipeline_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A running job failed. The text names the step, the task, the row where there is one, and the cause.
class job_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `ask` with a step, key, query or reply type that the operator does not have.
class query_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Input that cannot be used: text that does not parse, a file that is not there. The text names what, where and what to do.
class data_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace spillway
