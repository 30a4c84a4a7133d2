#pragma once
#include "messages/caf/wire.hpp"

#include "scheduler/job_state.hpp"
#include "scheduler/plan.hpp"

#include <caf/all.hpp>

#include <atomic>
#include <functional>
#include <map>

namespace spillway {

/// The actors of a job, as whoever spawned them hands them over.
struct deployment {
  struct member {
    caf::actor handle;
    /// For messages: `task 'parse' (subtask 3)`.
    std::string who;
  };
  std::vector<member> members;
  /// Set when the job is stopped before its end; those that wait for something outside look at it.
  std::shared_ptr<std::atomic<bool>> stop = std::make_shared<std::atomic<bool>>(false);
  /// By vertex and subtask; also among the members.
  std::vector<std::vector<caf::actor>> tasks;
};

/// What a job actor is made with.
struct job_setup {
  std::string name;
  execution_plan plan;
  /// Spawns all actors of the job. May throw.
  std::function<deployment(caf::event_based_actor* job)> deploy;
  /// Called once, on the job actor's thread, when all actors of the job are gone.
  std::function<void(job_phase phase, const std::string& error, job_view last)> ended;
  /// Lines for the log of whoever runs the job, called on the job actor's thread; may be empty.
  std::function<void(const std::string& step, const std::string& text)> log;
};

/// The actor above all others of a job: deploys them, watches them, stops them, and answers for them.
class job_actor {
 public:
  static inline const char* name = "job";
  explicit job_actor(caf::event_based_actor* self) : self_(self), state_("") {}
  caf::behavior make(job_setup setup);

  /// For tests under the deterministic scheduler.
  const deployment& actors() const noexcept { return actors_; }

 private:
  void start();
  void stop_all();
  void down(const caf::down_msg& m);
  void end_if_over();
  void quit_if_answered();
  void answered();
  void gather(caf::typed_response_promise<job_view> promise);
  job_view view_with(std::vector<partition_view> partitions) const;
  void add(task_view v);
  task_view view_before_work(const task_vertex& v, std::uint32_t subtask) const;
  void add(const reader_view& v);
  void add(const source_view& v);
  template <class Message, class Reply>
  caf::result<Reply> pass_on(const caf::actor& task, Message m, Reply otherwise);
  caf::result<answer> route(question& q);
  caf::result<handlers_found> route(const find_handlers& m);
  bool runs(const task_vertex& v, std::uint32_t subtask) const;
  const task_vertex* vertex_of(const std::string& step) const;

  caf::event_based_actor* self_;
  job_setup setup_;
  job_state state_;
  deployment actors_;
  std::map<caf::actor_id, std::string> alive_;
  job_view view_;
  /// Questions to others that are still open.
  std::size_t asked_ = 0;
  bool over_ = false;
};

caf::behavior make_job(caf::stateful_actor<job_actor>* self, job_setup setup);

}  // namespace spillway
