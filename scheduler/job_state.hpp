#pragma once
// The life of a job as a plain class: its actors' reports in, its phase out.
#include "messages/control.hpp"

#include <set>
#include <string>

namespace spillway {

/// Decides when a job has finished, failed or been cancelled. The first failure counts; what follows from stopping the others is
/// not reported again. A job has ended when all of its actors are gone.
///
/// Actors are known by a number of the caller's.
class job_state {
 public:
  explicit job_state(std::string name) : name_(std::move(name)) {}

  void started(std::uint64_t actor) { alive_.insert(actor); }

  /// True if all other actors must be stopped now.
  bool failed(const subtask_failed& report);

  /// True if all actors must be stopped now.
  bool cancelled();

  /// The job's actors could not be made.
  void not_started(const std::string& cause);

  void finished(std::uint64_t actor) { finished_.insert(actor); }

  /// The actor is gone. `reason` says why if it was not expected to go. True if all others must be stopped now.
  bool gone(std::uint64_t actor, const std::string& who, const std::string& reason);

  bool ended() const noexcept { return alive_.empty(); }
  job_phase phase() const noexcept;

  /// The text of the first failure.
  const std::string& error() const noexcept { return error_; }
  const std::string& name() const noexcept { return name_; }

 private:
  bool stop(job_phase why);

  std::string name_, error_;
  std::set<std::uint64_t> alive_, finished_;
  job_phase phase_ = job_phase::running;
};

/// The report as the text a user sees: step, job, task, row and cause.
std::string failure_text(const std::string& job, const subtask_failed& report);

}  // namespace spillway
