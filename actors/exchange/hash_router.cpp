#include "actors/exchange/hash_router.hpp"

#include <utility>

namespace spillway {

keyed_router::keyed_router(const router_context& ctx)
    : groups_(ctx.key_groups, ctx.consumers),
      pool_(batch_pool::make()),
      open_(ctx.consumers),
      hashes_(std::make_unique_for_overwrite<std::uint64_t[]>(max_batch_rows)) {}

keyed_router::~keyed_router() = default;

void keyed_router::route(batch_ptr rows, edge_writer& to) {
  if (open_.size() == 1) {
    single_.add(std::move(rows), [&](batch_ptr b) { to.put(0, std::move(b)); });
    return;
  }
  scatter(*rows, rows->sole_holder(), to);
}

void keyed_router::flush(edge_writer& to) {
  single_.flush([&](batch_ptr b) { to.put(0, std::move(b)); });
  for (std::uint32_t sub = 0; sub < consumers(); ++sub) ship(sub, to);
}

bool keyed_router::holds_rows() const noexcept {
  for (const auto& o : open_)
    if (o) return true;
  return single_.holds_rows();
}

void keyed_router::ship(std::uint32_t sub, edge_writer& to) {
  if (!open_[sub]) return;
  auto& b = *open_[sub];
  if (!b.times.empty()) --open_times_;
  if (!b.hashes.empty()) b.hashes.resize(b.size());
  to.put(sub, std::exchange(open_[sub], {}));
}

void keyed_router::make_room_for_hashes(batch& b, std::size_t rows) { b.hashes.resize(rows); }

void keyed_router::add_time(const batch& in, std::size_t i, batch& o) {
  if (o.times.empty()) ++open_times_;
  o.add_time(in.times.empty() ? min_time : in.times[i]);
}

}  // namespace spillway
