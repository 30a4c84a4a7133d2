#pragma once
// The decisions of a pipelined partition: what goes to which consumer now, and when its producer may send more.
#include "messages/element.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace spillway {

/// What a partition does to the world.
class partition_port {
 public:
  virtual ~partition_port() = default;
  virtual void deliver(std::uint32_t subpartition, element e) = 0;
  virtual void permit(std::uint32_t subpartition, std::uint32_t batches) = 0;
};

/// One bounded queue for each subpartition. A batch leaves when its consumer has credit, and its leaving is a permit for the
/// producer, so that at most `permits` batches wait in each. Control elements keep their place in the queue and cost nothing.
/// What `put` gets before the consumer has opened waits.
class partition_queues {
 public:
  partition_queues(std::size_t subpartitions, std::uint32_t permits) : subs_(subpartitions), permits_(permits) {}

  /// Grants the producer its first permits.
  void attach(partition_port& port);

  void put(std::uint32_t subpartition, element e, partition_port& port);
  void open(std::uint32_t subpartition, std::uint32_t credit, partition_port& port);
  void credit(std::uint32_t subpartition, std::uint32_t batches, partition_port& port);

  struct sub_state {
    std::deque<element> queue;
    std::uint32_t credit = 0;
    std::uint64_t batches = 0;
    std::uint64_t rows = 0;
    bool opened = false;
    bool ended = false;
  };
  const std::vector<sub_state>& subpartitions() const noexcept { return subs_; }

  /// True when every consumer was sent its end mark.
  bool done() const noexcept { return ended_ == subs_.size(); }

 private:
  void pump(std::uint32_t subpartition, partition_port& port);

  std::vector<sub_state> subs_;
  std::uint32_t permits_;
  std::size_t ended_ = 0;
};

}  // namespace spillway
