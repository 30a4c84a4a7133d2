#pragma once
#include "messages/caf/wire.hpp"

#include "actors/task/source_head.hpp"

#include <caf/all.hpp>

#include <functional>

namespace spillway {

/// What a reader is made with.
struct reader_setup {
  subtask_id id;
  std::string step;
  std::function<std::unique_ptr<source_head>()> open;
  caf::actor job;
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
  void schedule();
  void send(element e);
  template <class F>
  void guarded(F&& f);

  caf::event_based_actor* self_;
  reader_setup setup_;
  std::unique_ptr<source_head> head_;
  caf::actor task_;
  std::uint32_t channel_ = 0, credit_ = 0;
  bool scheduled_ = false;
};

caf::behavior make_reader(caf::stateful_actor<reader_actor>* self, reader_setup setup);

}  // namespace spillway
