#pragma once
#include "messages/caf/wire.hpp"

#include "actors/task/task_core.hpp"

#include <caf/all.hpp>

namespace spillway {

/// What a task actor is made with.
struct task_setup {
  subtask_id id;
  std::string name;
  /// Makes the operators; called on the task's own thread when work starts.
  std::function<task_parts()> build;
  struct input {
    caf::actor partition;
    std::uint32_t subpartition = 0;
  };
  /// One for each channel.
  std::vector<input> inputs;
  /// One for each output edge.
  std::vector<caf::actor> outputs;
  /// Of a source that the task reads itself.
  caf::actor enumerator;
  /// Those of the sources that are opened when the first input has ended.
  std::vector<caf::actor> opens;
  std::uint32_t credit = 4;
  std::chrono::microseconds buffer_timeout{};
  caf::actor job;
};

/// The actor that runs one subtask: receives, asks its core, sends.
class task_actor : private task_port {
 public:
  static inline const char* name = "task";
  explicit task_actor(caf::event_based_actor* self) : self_(self) {}
  caf::behavior make(task_setup setup);

  /// For tests under the deterministic scheduler.
  task_core& core() noexcept { return *core_; }
  task_view view() const;

 private:
  void send(std::uint32_t edge, std::uint32_t sub, element e) override;
  void credit(std::uint32_t channel) override;

  void start();
  void schedule();
  void run();
  task_core::state work_a_turn();
  void rest();
  void ask_for_split();
  void open_next_part();
  void send_notes();
  void give_credit(std::uint32_t channel);
  void give_all_credit();
  void wake_in(std::chrono::microseconds after);
  void arm_flush();
  void pause();
  void fail(const std::string& step, const std::string& row, const std::string& cause);
  template <class F>
  void guarded(F&& f);
  answer reply_to(const question& q);
  stage* stage_of(const std::string& step);
  caf::result<caf::message> hand_over(to_operator& m);
  handlers_found find(const find_handlers& m);

  caf::event_based_actor* self_;
  task_setup setup_;
  std::unique_ptr<task_core> core_;
  /// By channel: batches worked off whose credit has not gone back yet.
  std::vector<std::uint32_t> owed_;
  std::uint64_t wake_generation_ = 0;
  /// When the last wake-up that was sent is due, if it has not come yet.
  std::optional<std::chrono::steady_clock::time_point> wake_at_;
  bool scheduled_ = false, flush_armed_ = false, pause_armed_ = false, part_ended_ = false;
};

caf::behavior make_task(caf::stateful_actor<task_actor>* self, task_setup setup);

}  // namespace spillway
