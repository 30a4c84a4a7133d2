#pragma once
// The sending end of an edge: routers decide where rows go, edge writers keep to the permits.
#include "messages/element.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace spillway {

/// What a task's outputs do to the world.
class output_port {
 public:
  virtual ~output_port() = default;
  /// Sends `e` to subpartition `sub` of the partition that holds edge `edge` (counted from 0 in the task).
  virtual void send(std::uint32_t edge, std::uint32_t sub, element e) = 0;
};

/// Sends to the subpartitions of one edge, in order, as far as permits go. What lacks a permit waits here, and what comes after
/// it waits behind it.
class edge_writer {
 public:
  edge_writer(std::uint32_t edge, std::uint32_t subpartitions, output_port& port)
      : subs_(subpartitions), edge_(edge), port_(port) {}

  void put(std::uint32_t sub, batch_ptr rows);
  void put_all(const control& mark);
  void permit(std::uint32_t sub, std::uint32_t batches);

  /// True while a batch waits for a permit: the task takes no further input.
  bool blocked() const noexcept { return waiting_ > 0; }

  std::uint32_t subpartitions() const noexcept { return static_cast<std::uint32_t>(subs_.size()); }
  std::uint32_t permits(std::uint32_t sub) const noexcept { return subs_[sub].permits; }
  std::size_t queued(std::uint32_t sub) const noexcept { return subs_[sub].overdrawn.size(); }

 private:
  struct sub_state {
    std::uint32_t permits = 0;
    std::deque<element> overdrawn;
  };

  void drain(std::uint32_t sub);

  std::vector<sub_state> subs_;
  std::size_t waiting_ = 0;
  std::uint32_t edge_;
  output_port& port_;
};

/// Decides where the rows of a batch go, and collects them into batches of its own where they part ways.
class router {
 public:
  virtual ~router() = default;
  virtual void route(batch_ptr rows, edge_writer& to) = 0;

  /// Sends the batches that are not full yet.
  virtual void flush(edge_writer& to) = 0;

  /// True if rows wait for `flush`.
  virtual bool holds_rows() const noexcept = 0;
};

/// What a router is told when it is made.
struct router_context {
  std::uint32_t subtask = 0;
  std::uint32_t consumers = 1;
  std::uint32_t key_groups = 128;
};

}  // namespace spillway
