#include "actors/exchange/combiners.hpp"

#include <algorithm>
#include <utility>

namespace spillway {

std::optional<bool> backlog_combiner::set(std::size_t channel, bool backlog) {
  if (backlog_[channel] == backlog) return std::nullopt;
  const bool before = value();
  backlog_[channel] = backlog;
  in_backlog_ += backlog ? 1 : -1;
  return before == value() ? std::nullopt : std::optional{value()};
}

watermark_combiner::signals watermark_combiner::advance(std::size_t channel, timestamp to) {
  // The channel's end says the same. Taken at its word it would bring `max_time` while an idle channel may still go on.
  if (to == max_time) return {};
  auto& c = channels_[channel];
  c.at = std::max(c.at, to);
  return combine();
}

watermark_combiner::signals watermark_combiner::set_idle(std::size_t channel, bool idle) {
  channels_[channel].idle = idle;
  return combine();
}

watermark_combiner::signals watermark_combiner::end(std::size_t channel) {
  channels_[channel].ended = true;
  return combine();
}

watermark_combiner::signals watermark_combiner::combine() {
  bool all_ended = true, any_active = false;
  auto least_active = max_time, greatest_idle = min_time;
  for (const auto& c : channels_) {
    if (c.ended) continue;
    all_ended = false;
    if (c.idle) {
      greatest_idle = std::max(greatest_idle, c.at);
    } else {
      any_active = true;
      least_active = std::min(least_active, c.at);
    }
  }
  signals out;
  if (all_ended) {
    raise(max_time, out);
  } else if (any_active) {
    if (std::exchange(idle_, false)) out.push_back(activity{false});
    raise(least_active, out);
  } else {
    raise(greatest_idle, out);
    if (!std::exchange(idle_, true)) out.push_back(activity{true});
  }
  return out;
}

void watermark_combiner::raise(timestamp to, signals& out) {
  if (to <= value_) return;
  value_ = to;
  out.push_back(watermark{to});
}

}  // namespace spillway
