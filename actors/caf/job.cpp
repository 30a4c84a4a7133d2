#include "actors/job.hpp"

#include "actors/caf/runtime.hpp"
#include "scheduler/unknown_step.hpp"

#include <algorithm>

namespace spillway {

job::job(std::shared_ptr<detail::job_runtime> runtime) noexcept : runtime_(std::move(runtime)) {}
job::job(job&&) noexcept = default;
job& job::operator=(job&&) noexcept = default;
job::~job() = default;

job_phase job::wait() { return runtime_->wait(); }
job_phase job::wait_for(std::chrono::milliseconds d) { return runtime_->wait_for(d); }
void job::cancel() { runtime_->cancel(); }
job_view job::inspect() const { return runtime_->inspect(); }
const execution_plan& job::plan() const { return runtime_->plan(); }

std::vector<task_view> job::inspect(std::string_view step) const {
  const auto& steps = plan().graph.steps;
  if (std::none_of(steps.begin(), steps.end(), [&](const auto& s) { return s.name == step; }))
    throw query_error(unknown_step_text(plan().graph, std::string{step}, runtime_->name()));
  auto all = inspect().tasks;
  std::erase_if(all, [&](const task_view& t) {
    return std::none_of(t.steps.begin(), t.steps.end(), [&](const auto& s) { return s.step == step; });
  });
  return all;
}

std::any job::ask(question q) const {
  auto reply = runtime_->ask(std::move(q));
  if (!reply.error.empty()) throw query_error(reply.error);
  return std::move(reply.value);
}

}  // namespace spillway
