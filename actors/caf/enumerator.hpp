#pragma once
#include "messages/caf/wire.hpp"

#include "actors/task/split_enumerator.hpp"

#include <caf/all.hpp>

#include <functional>
#include <map>

namespace spillway {

/// What an enumerator is made with.
struct enumerator_setup {
  vertex_id vertex;
  std::string step;
  std::uint32_t subtasks = 1;
  bool fixed = false;
  /// Lists the splits; given the greatest time of the part before, where that is known.
  std::function<std::unique_ptr<split_list>(std::optional<timestamp> history_end)> list;
  /// How many must say that what comes before has ended, before anything is handed out: the deployment of the job, and each
  /// subtask with a part of a `then` that goes first.
  std::uint32_t waits_for = 0;
  caf::actor job;
};

/// Hands out the splits of one source. On a thread of its own where looking for splits may block.
class enumerator_actor {
 public:
  static inline const char* name = "enumerator";
  explicit enumerator_actor(caf::event_based_actor* self) : self_(self) {}
  caf::behavior make(enumerator_setup setup);

 private:
  void open();
  void hand_out(std::uint32_t subtask, const caf::actor& to);
  template <class F>
  void guarded(F&& f);

  caf::event_based_actor* self_;
  enumerator_setup setup_;
  std::optional<split_enumerator> splits_;
  std::optional<timestamp> history_end_;
  /// Subtasks that asked before there was anything to hand out.
  std::map<std::uint32_t, caf::actor> early_;
};

caf::behavior make_enumerator(caf::stateful_actor<enumerator_actor>* self, enumerator_setup setup);

}  // namespace spillway
