#pragma once
#include "messages/caf/wire.hpp"

#include "actors/exchange/partition_queues.hpp"

#include <caf/all.hpp>

namespace spillway {

/// What a pipelined partition is made with.
struct partition_setup {
  edge_id edge;
  std::uint32_t producer = 0;
  std::uint32_t subpartitions = 1;
  std::uint32_t permits = 4;
};

/// The actor that holds one subtask's output for one edge while its consumers work it off. Ends when all have been sent their
/// end.
class partition_actor : private partition_port {
 public:
  static inline const char* name = "partition";
  explicit partition_actor(caf::event_based_actor* self) : self_(self), queues_(0, 0) {}
  caf::behavior make(partition_setup setup);

  /// For tests under the deterministic scheduler.
  partition_view view() const;

 private:
  void deliver(std::uint32_t subpartition, element e) override;
  void permit(std::uint32_t subpartition, std::uint32_t batches) override;
  void end_if_done();

  caf::event_based_actor* self_;
  partition_setup setup_;
  partition_queues queues_;
  caf::actor producer_;
  std::uint32_t producer_edge_ = 0;
  struct consumer {
    caf::actor task;
    std::uint32_t channel = 0;
  };
  std::vector<consumer> consumers_;
};

caf::behavior make_partition(caf::stateful_actor<partition_actor>* self, partition_setup setup);

}  // namespace spillway
