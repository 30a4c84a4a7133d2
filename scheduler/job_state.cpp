#include "scheduler/job_state.hpp"

namespace spillway {

std::string failure_text(const std::string& job, const subtask_failed& report) {
  auto text = "step '" + report.step + "' of job '" + job + "' failed in subtask " + std::to_string(report.id.subtask);
  if (!report.row.empty()) text += " on row " + report.row;
  return text + "\n  note: " + report.cause;
}

bool job_state::stop(job_phase why) {
  if (phase_ != job_phase::running) return false;
  phase_ = why;
  return true;
}

bool job_state::failed(const subtask_failed& report) {
  if (!stop(job_phase::failing)) return false;
  error_ = failure_text(name_, report);
  return true;
}

bool job_state::cancelled() { return stop(job_phase::cancelling); }

void job_state::not_started(const std::string& cause) {
  if (stop(job_phase::failing)) error_ = "job '" + name_ + "' could not start\n  note: " + cause;
}

bool job_state::gone(std::uint64_t actor, const std::string& who, const std::string& reason) {
  alive_.erase(actor);
  if (finished_.contains(actor) || !stop(job_phase::failing)) return false;
  error_ = who + " of job '" + name_ + "' ended unexpectedly\n  note: " + reason;
  return true;
}

job_phase job_state::phase() const noexcept {
  if (!ended()) return phase_;
  switch (phase_) {
    case job_phase::running:
      return job_phase::finished;
    case job_phase::cancelling:
      return job_phase::cancelled;
    default:
      return job_phase::failed;
  }
}

}  // namespace spillway
