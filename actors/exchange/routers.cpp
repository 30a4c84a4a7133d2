#include "actors/exchange/routers.hpp"

#include <utility>

namespace spillway {

void gatherer::add(batch_ptr rows, const ship& to) {
  if (rows->half_full()) {
    flush(to);
    to(std::move(rows));
    return;
  }
  const bool mine = rows->sole_holder();
  for (std::size_t at = 0; at < rows->size();) {
    if (!open_) open_ = rows->empty_one(pool_);
    at += open_->append(*rows, at, mine);
    if (at < rows->size() || open_->full()) flush(to);
  }
}

void gatherer::flush(const ship& to) {
  if (open_) to(std::exchange(open_, {}));
}

void batch_router::route(batch_ptr rows, edge_writer& to) {
  gather_.add(std::move(rows), [&](batch_ptr b) { send(std::move(b), to); });
}

void batch_router::flush(edge_writer& to) {
  gather_.flush([&](batch_ptr b) { send(std::move(b), to); });
}

void forward_router::send(batch_ptr rows, edge_writer& to) { to.put(sub_, std::move(rows)); }

void rebalance_router::send(batch_ptr rows, edge_writer& to) {
  const auto n = to.subpartitions();
  for (std::uint32_t tried = 1; tried < n && to.permits(next_) == 0; ++tried) next_ = (next_ + 1) % n;
  to.put(next_, std::move(rows));
  next_ = (next_ + 1) % n;
}

void broadcast_router::send(batch_ptr rows, edge_writer& to) {
  for (std::uint32_t sub = 0; sub < to.subpartitions(); ++sub) to.put(sub, rows);
}

}  // namespace spillway
