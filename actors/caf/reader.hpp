#pragma once
#include "messages/caf/wire.hpp"

#include "actors/task/source_driver.hpp"

#include <caf/all.hpp>

#include <functional>

namespace spillway {

/// What a reader is made with.
struct reader_setup {
  subtask_id id;
  std::string step;
  std::function<std::unique_ptr<source_driver>()> make;
  caf::actor enumerator, job;
};

/// Reads a source that may block, on a thread of its own, and hands batches to the source's task under credit. To the task it is
/// a partition with one subpartition.
class reader_actor {
 public:
  static inline const char* name = "reader";
  explicit reader_actor(caf::event_based_actor* self) : self_(self) {}
  caf::behavior make(reader_setup setup);

 private:
  void open(const open_channel& m);
  void read();
  void ask_for_split();
  void hand_over(batch_ptr rows, std::uint8_t side);
  void tell_mode();
  void schedule();
  void send(element e);
  reader_view view() const;
  template <class F>
  void guarded(F&& f);

  caf::event_based_actor* self_;
  reader_setup setup_;
  std::unique_ptr<source_driver> source_;
  caf::actor task_;
  std::uint32_t channel_ = 0;
  /// Below 0 after a read that gave rows and bad ones with one credit left: what was overdrawn is paid back first.
  std::int64_t credit_ = 0;
  std::uint64_t pauses_ = 0;
  bool scheduled_ = false, backlog_ = false;
};

caf::behavior make_reader(caf::stateful_actor<reader_actor>* self, reader_setup setup);

}  // namespace spillway
