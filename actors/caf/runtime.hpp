#pragma once
#include "actors/job.hpp"
#include "actors/options.hpp"
#include "actors/source.hpp"
#include "messages/control.hpp"
#include "scheduler/plan.hpp"

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <condition_variable>
#include <mutex>
#include <optional>

namespace caf::scheduler {
class test_coordinator;
}

namespace spillway::detail {

/// The job actor of a job, the actor system it lives in (the job's own or the host's), and how it ended.
class job_runtime {
 public:
  /// Starts the job. Throws `pipeline_error`, and `job_failed` if there is no thread for it.
  job_runtime(execution_plan plan, options how, caf::actor_system* host);
  ~job_runtime();

  job_phase wait_for(std::chrono::milliseconds d);
  job_phase wait();
  void cancel();
  job_view inspect();
  answer ask(question q);
  /// A new actor that hands what it gets to the operator's own handlers. Throws `query_error`.
  caf::actor operator_actor(find_handlers which);

  const std::string& name() const noexcept { return how_.name; }
  const execution_plan& plan() const noexcept { return plan_; }
  const caf::actor& actor() const noexcept { return job_; }
  caf::actor_system& system() noexcept { return *system_; }

 private:
  /// How the job ended; outlives whoever waits.
  struct outcome {
    std::mutex mutex;
    std::condition_variable changed;
    job_phase phase = job_phase::running;
    std::string error;
    job_view last;
  };
  void await(std::optional<std::chrono::milliseconds> at_most);
  job_phase result() const;
  caf::scheduler::test_coordinator* stepper() const;
  template <class Message, class OnReply>
  void request(Message m, OnReply on_reply);

  execution_plan plan_;
  options how_;
  std::shared_ptr<outcome> outcome_ = std::make_shared<outcome>();
  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> own_;
  caf::actor_system* system_;
  std::shared_ptr<const job_clock> clock_;
  caf::actor job_;
};

}  // namespace spillway::detail
