#pragma once
// How many channels become one: the combined backlog flag and the combined watermark.
#include "messages/element.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace spillway {

/// The combined backlog flag is the OR over all channels. Ended channels count as live, idle ones as what they last said.
class backlog_combiner {
 public:
  explicit backlog_combiner(std::size_t channels) : backlog_(channels, false) {}

  bool value() const noexcept { return in_backlog_ > 0; }

  /// The new combined value, if this changes it.
  std::optional<bool> set(std::size_t channel, bool backlog);
  std::optional<bool> end(std::size_t channel) { return set(channel, false); }

 private:
  std::vector<bool> backlog_;
  std::size_t in_backlog_ = 0;
};

/// The combined watermark is the minimum over the channels that are neither ended nor idle. It never decreases, and is `max_time`
/// only when all have ended. When the last active channel goes idle, or ends while others are idle, the greatest watermark of the
/// idle ones is passed on before the idle mark.
class watermark_combiner {
 public:
  explicit watermark_combiner(std::size_t channels) : channels_(channels) {}

  /// What to forward, in order: nothing, a watermark, an activity mark, or both.
  using signals = std::vector<control>;

  /// A channel's own `max_time` changes nothing: its end will.
  signals advance(std::size_t channel, timestamp to);
  signals set_idle(std::size_t channel, bool idle);
  signals end(std::size_t channel);

  timestamp value() const noexcept { return value_; }
  bool idle() const noexcept { return idle_; }

 private:
  struct channel_state {
    timestamp at = min_time;
    bool idle = false;
    bool ended = false;
  };

  signals combine();
  void raise(timestamp to, signals& out);

  std::vector<channel_state> channels_;
  timestamp value_ = min_time;
  bool idle_ = false;
};

}  // namespace spillway
