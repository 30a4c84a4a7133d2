#pragma once
// Where the channels of a task meet: their elements in, one ordered sequence of inputs for the task out.
#include "actors/exchange/combiners.hpp"
#include "messages/element.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace spillway {

/// The next thing a task takes in: rows of one channel, or a control element that holds for all of them.
struct gate_event {
  element what;
  /// Where rows came from: their credit goes back there.
  std::uint32_t channel = 0;
  std::uint32_t input = 0;
};

/// Keeps the laws of a channel for a task with many: nothing before all headers are there, one combined header, backlog flag and
/// watermark, barriers aligned, one end when all have ended. Elements of one channel are never reordered.
///
/// Memory: batches wait here only under the credit of their channel; of consecutive watermarks in one queue the greatest is kept.
class input_gate {
 public:
  /// `input_of` says to which input of the task each channel belongs.
  explicit input_gate(std::vector<std::uint32_t> input_of);

  void arrive(std::uint32_t channel, element e);

  /// Checkpoint `number` and all before it are given up: their alignment ends, and barriers still to come are swallowed.
  void abort(std::uint64_t number);

  /// The next event, or none until more arrives.
  std::optional<gate_event> next();

  /// True if rows or marks wait that `next` could look at.
  bool waiting() const noexcept { return !order_.empty() || !ready_.empty(); }

  bool backlog() const noexcept { return backlog_.value(); }
  timestamp combined_watermark() const noexcept { return watermarks_.value(); }
  bool aligning() const noexcept { return aligning_.has_value(); }
  std::size_t channels() const noexcept { return channels_.size(); }
  /// Elements of `channel` that wait.
  std::size_t queued(std::uint32_t channel) const noexcept { return channels_[channel].queue.size(); }
  /// True if all channels of `input` have ended, and all that came before was given out.
  bool ended(std::uint32_t input) const noexcept;
  bool ended() const noexcept { return ended_ == channels_.size(); }

 private:
  struct channel_state {
    std::deque<element> queue;
    std::uint32_t input = 0;
    /// While blocked: how many elements in `queue` have had their turn.
    std::size_t held = 0;
    bool blocked = false;
    bool ended = false;
  };

  void take(std::uint32_t channel);
  void take_control(std::uint32_t channel, const control& mark);
  void take_barrier(std::uint32_t channel, std::uint64_t number);
  void take_end(std::uint32_t channel);
  void finish_alignment_if_whole();
  void unblock();
  void put(control mark) { ready_.push_back({mark}); }

  std::vector<channel_state> channels_;
  std::deque<std::uint32_t> order_;
  std::deque<gate_event> ready_;
  backlog_combiner backlog_;
  watermark_combiner watermarks_;
  std::size_t headers_ = 0, ended_ = 0, aligned_ = 0;
  std::optional<std::uint64_t> aligning_;
  std::uint64_t settled_ = 0;
};

}  // namespace spillway
