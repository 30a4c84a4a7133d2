#pragma once
// A job under CAF's stepping scheduler, with virtual time: run for some steps, freeze it, look at its actors, run on.
#include "actors/actor.hpp"
#include "actors/caf/partition.hpp"
#include "actors/caf/runtime.hpp"
#include "actors/caf/task.hpp"
#include "scheduler/caf/job_actor.hpp"

#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <optional>
#include <random>

namespace spillway::tests {

/// An actor system that does nothing by itself. A step is one message of one actor.
class stepping_system {
 public:
  stepping_system() : system{testing()}, scheduler{dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler())} {}

  bool step() { return scheduler.try_run_once(); }
  bool step(std::mt19937& random) {
    auto& jobs = scheduler.jobs;
    if (jobs.empty()) return false;
    std::swap(jobs.front(), jobs[random() % jobs.size()]);
    return step();
  }

  /// The others first: `slow` works only when nobody else has anything to do.
  bool step_without(const caf::actor& slow) {
    auto& jobs = scheduler.jobs;
    const auto* last = dynamic_cast<caf::resumable*>(caf::actor_cast<caf::abstract_actor*>(slow));
    for (auto& j : jobs)
      if (j != last) {
        std::swap(jobs.front(), j);
        break;
      }
    return step();
  }

  void steps(int n) {
    while (n-- > 0 && step()) continue;
  }

  /// Until nobody has anything to do. No time passes.
  void settle() {
    while (step()) continue;
  }
  void settle(std::mt19937& random) {
    while (step(random)) continue;
  }

  void advance(std::chrono::microseconds d) {
    scheduler.advance_time(d);
    settle();
  }

  /// Delayed messages that are under way.
  std::size_t timeouts() { return scheduler.clock().schedule().size(); }

  /// Actors that have not ended.
  std::size_t running() { return system.registry().running(); }

 private:
  static caf::actor_system_config& testing() {
    static caf::actor_system_config config;
    config.set("scheduler.policy", caf::atom("testing"));
    return config;
  }

 public:
  caf::actor_system system;
  caf::scheduler::test_coordinator& scheduler;
};

/// The state of an actor, or null if it has ended or is of another kind.
template <class State>
State* state_of(const caf::actor& a) {
  auto* self = dynamic_cast<caf::stateful_actor<State>*>(caf::actor_cast<caf::abstract_actor*>(a));
  return self && !self->getf(caf::abstract_actor::is_terminated_flag) ? &self->state : nullptr;
}

/// One job in a stepping system of its own.
class deterministic : public stepping_system {
 public:
  /// Tight: one batch may wait, one may be under way, rows are sent at once, two subtasks of everything.
  static options tight() {
    options o;
    o.parallelism = 2;
    o.permits = o.credit = 1;
    o.buffer_timeout = std::chrono::microseconds{0};
    o.attached = true;
    return o;
  }

  /// Starts the job; its first step, in which it deploys its actors, is done.
  job& start(const pipeline& p, options how = tight()) {
    how.attached = true;
    job_.emplace(spillway::start(p, how, system));
    step();
    if (auto* state = state_of<job_actor>(job_->runtime().actor())) actors_ = state->actors();
    return *job_;
  }

  job& the_job() { return *job_; }

  /// The actor that runs `step`.
  const caf::actor& task(const std::string& step, std::uint32_t subtask = 0) const {
    const auto& plan = job_->plan();
    for (std::uint32_t s = 0; s < plan.graph.steps.size(); ++s)
      if (plan.graph.steps[s].name == step) return actors_.tasks[plan.vertex_of({s}).value][subtask];
    throw std::invalid_argument("no step " + step);
  }

  /// The step in one subtask, as it is now; if that has ended, nothing but the name.
  step_view step_in(const std::string& step, std::uint32_t subtask = 0) const {
    if (auto* state = state_of<task_actor>(task(step, subtask)))
      for (const auto& s : state->view().steps)
        if (s.step == step) return s;
    return {step, 0, 0, 0};
  }

  task_view view_of(const std::string& step, std::uint32_t subtask = 0) const {
    auto* state = state_of<task_actor>(task(step, subtask));
    return state ? state->view() : task_view{};
  }

  /// The value of `key` in `step`, without a message.
  template <class Reply, class K>
  std::optional<Reply> value(const std::string& step, const K& key, std::uint32_t subtask = 0) const {
    auto* state = state_of<task_actor>(task(step, subtask));
    if (!state || state->view().steps.empty()) return {};
    const auto k = detail::asked_key(key);
    for (auto& l : state->core().operators().links())
      if (l.step == step)
        return std::any_cast<std::optional<Reply>>(
            l.op->answer({step, key_hash(k), k, value_query{}, typeid(std::optional<Reply>)}));
    return {};
  }

  /// All partitions that have not ended.
  std::vector<partition_view> partitions() const {
    std::vector<partition_view> all;
    for (const auto& m : actors_.members)
      if (auto* state = state_of<partition_actor>(m.handle)) all.push_back(state->view());
    return all;
  }

  const deployment& actors() const { return actors_; }

 private:
  std::optional<job> job_;
  deployment actors_;
};

}  // namespace spillway::tests
