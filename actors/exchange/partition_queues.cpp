#include "actors/exchange/partition_queues.hpp"

#include <algorithm>
#include <utility>

namespace spillway {

void partition_queues::attach(partition_port& port) {
  for (std::uint32_t s = 0; s < subs_.size(); ++s) port.permit(s, permits_);
}

void partition_queues::put(std::uint32_t subpartition, element e, partition_port& port) {
  auto& s = subs_[subpartition];
  if (e.is<watermark>() && !s.queue.empty() && s.queue.back().is<watermark>()) {
    auto& last = std::get<watermark>(s.queue.back().mark).at;
    last = std::max(last, std::get<watermark>(e.mark).at);
  } else {
    s.queue.push_back(std::move(e));
  }
  pump(subpartition, port);
}

void partition_queues::open(std::uint32_t subpartition, std::uint32_t credit, partition_port& port) {
  subs_[subpartition].opened = true;
  this->credit(subpartition, credit, port);
}

void partition_queues::credit(std::uint32_t subpartition, std::uint32_t batches, partition_port& port) {
  subs_[subpartition].credit += batches;
  pump(subpartition, port);
}

void partition_queues::pump(std::uint32_t subpartition, partition_port& port) {
  auto& s = subs_[subpartition];
  std::uint32_t left = 0;
  while (s.opened && !s.queue.empty()) {
    auto& next = s.queue.front();
    if (next.is_batch()) {
      if (s.credit == 0) break;
      --s.credit;
      ++s.batches;
      s.rows += next.rows->size();
      ++left;
    } else if (next.is<end_mark>()) {
      s.ended = true;
      ++ended_;
    }
    auto e = std::move(next);
    s.queue.pop_front();
    port.deliver(subpartition, std::move(e));
  }
  if (left > 0) port.permit(subpartition, left);
}

}  // namespace spillway
