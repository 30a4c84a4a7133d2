#include "actors/exchange/output_side.hpp"

#include <utility>

namespace spillway {

void edge_writer::put(std::uint32_t sub, batch_ptr rows) {
  auto& s = subs_[sub];
  if (s.permits > 0 && s.overdrawn.empty()) {
    --s.permits;
    port_.send(edge_, sub, std::move(rows));
    return;
  }
  s.overdrawn.emplace_back(std::move(rows));
  ++waiting_;
}

void edge_writer::put_all(const control& mark) {
  for (std::uint32_t sub = 0; sub < subs_.size(); ++sub) {
    auto& s = subs_[sub];
    if (s.overdrawn.empty())
      port_.send(edge_, sub, mark);
    else
      s.overdrawn.emplace_back(mark);
  }
}

void edge_writer::permit(std::uint32_t sub, std::uint32_t batches) {
  subs_[sub].permits += batches;
  drain(sub);
}

void edge_writer::drain(std::uint32_t sub) {
  auto& s = subs_[sub];
  while (!s.overdrawn.empty()) {
    auto& next = s.overdrawn.front();
    if (next.is_batch()) {
      if (s.permits == 0) return;
      --s.permits;
      --waiting_;
    }
    auto e = std::move(next);
    s.overdrawn.pop_front();
    port_.send(edge_, sub, std::move(e));
  }
}

}  // namespace spillway
