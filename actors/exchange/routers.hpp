#pragma once
// The ways rows cross an edge without looking at them.
#include "actors/exchange/output_side.hpp"

#include <functional>

namespace spillway {

/// Passes large batches on as they are and gathers small ones, so that a selective filter does not send a message a row.
class gatherer {
 public:
  using ship = std::function<void(batch_ptr)>;

  void add(batch_ptr rows, const ship& to);
  void flush(const ship& to);
  bool holds_rows() const noexcept { return static_cast<bool>(open_); }

 private:
  std::shared_ptr<batch_pool> pool_ = batch_pool::make();
  batch_ptr open_;
};

/// A router that sends whole batches, large ones as they come.
class batch_router : public router {
 public:
  void route(batch_ptr rows, edge_writer& to) final;
  void flush(edge_writer& to) final;
  bool holds_rows() const noexcept final { return gather_.holds_rows(); }

 private:
  virtual void send(batch_ptr rows, edge_writer& to) = 0;

  gatherer gather_;
};

/// To the consumer with the producer's own number.
class forward_router final : public batch_router {
 public:
  explicit forward_router(const router_context& ctx) : sub_(ctx.consumers == 1 ? 0 : ctx.subtask) {}

 private:
  void send(batch_ptr rows, edge_writer& to) override;
  std::uint32_t sub_;
};

/// Batch by batch in turn, leaving out consumers that take none now.
class rebalance_router final : public batch_router {
 public:
  explicit rebalance_router(const router_context& ctx) : next_(ctx.subtask % ctx.consumers) {}

 private:
  void send(batch_ptr rows, edge_writer& to) override;
  std::uint32_t next_;
};

/// Every row to every consumer; they share the batch.
class broadcast_router final : public batch_router {
  void send(batch_ptr rows, edge_writer& to) override;
};

}  // namespace spillway
