#include "actors/exchange/input_gate.hpp"

#include <algorithm>
#include <utility>

namespace spillway {

input_gate::input_gate(std::vector<std::uint32_t> input_of)
    : channels_(input_of.size()), backlog_(input_of.size()), watermarks_(input_of.size()) {
  for (std::size_t c = 0; c < input_of.size(); ++c) channels_[c].input = input_of[c];
}

void input_gate::arrive(std::uint32_t channel, element e) {
  auto& c = channels_[channel];
  if (e.is<header>()) {
    backlog_.set(channel, std::get<header>(e.mark).backlog);
    if (++headers_ == channels_.size()) ready_.push_front({control{header{backlog_.value()}}});
    return;
  }
  if (e.is<watermark>() && !c.queue.empty() && c.queue.back().is<watermark>()) {
    auto& last = std::get<watermark>(c.queue.back().mark).at;
    last = std::max(last, std::get<watermark>(e.mark).at);
    return;
  }
  c.queue.push_back(std::move(e));
  order_.push_back(channel);
}

std::optional<gate_event> input_gate::next() {
  if (headers_ < channels_.size()) return std::nullopt;
  while (ready_.empty() && !order_.empty()) {
    const auto channel = order_.front();
    order_.pop_front();
    take(channel);
  }
  if (ready_.empty()) return std::nullopt;
  auto event = std::move(ready_.front());
  ready_.pop_front();
  return event;
}

void input_gate::take(std::uint32_t channel) {
  auto& c = channels_[channel];
  if (c.blocked) {
    ++c.held;
    return;
  }
  auto e = std::move(c.queue.front());
  c.queue.pop_front();
  if (e.is_batch())
    ready_.push_back({std::move(e), channel, c.input});
  else
    take_control(channel, e.mark);
}

void input_gate::take_control(std::uint32_t channel, const control& mark) {
  if (const auto* w = std::get_if<watermark>(&mark)) {
    for (auto& s : watermarks_.advance(channel, w->at)) put(s);
  } else if (const auto* a = std::get_if<activity>(&mark)) {
    for (auto& s : watermarks_.set_idle(channel, a->idle)) put(s);
  } else if (const auto* b = std::get_if<backlog_mark>(&mark)) {
    if (auto changed = backlog_.set(channel, b->begins)) put(backlog_mark{*changed});
  } else if (const auto* n = std::get_if<barrier>(&mark)) {
    take_barrier(channel, n->number);
  } else if (std::holds_alternative<end_mark>(mark)) {
    take_end(channel);
  }
}

void input_gate::take_barrier(std::uint32_t channel, std::uint64_t number) {
  if (number <= settled_ || (aligning_ && number < *aligning_)) return;
  if (aligning_ && number > *aligning_) abort(*aligning_);
  aligning_ = number;
  channels_[channel].blocked = true;
  ++aligned_;
  finish_alignment_if_whole();
}

bool input_gate::ended(std::uint32_t input) const noexcept {
  return std::all_of(channels_.begin(), channels_.end(), [&](const auto& c) { return c.input != input || c.ended; });
}

void input_gate::take_end(std::uint32_t channel) {
  channels_[channel].ended = true;
  ++ended_;
  finish_alignment_if_whole();
  if (auto changed = backlog_.end(channel)) put(backlog_mark{*changed});
  for (auto& s : watermarks_.end(channel)) put(s);
  if (ended_ == channels_.size()) put(end_mark{});
}

void input_gate::finish_alignment_if_whole() {
  if (!aligning_ || aligned_ + ended_ < channels_.size()) return;
  put(barrier{*aligning_});
  settled_ = *aligning_;
  unblock();
}

void input_gate::abort(std::uint64_t number) {
  settled_ = std::max(settled_, number);
  if (aligning_ && *aligning_ <= number) unblock();
}

/// What was held while its channel was blocked came before all that still waits for its first turn.
void input_gate::unblock() {
  aligning_.reset();
  aligned_ = 0;
  for (std::uint32_t c = channels_.size(); c-- > 0;) {
    auto& state = channels_[c];
    state.blocked = false;
    order_.insert(order_.begin(), std::exchange(state.held, 0), c);
  }
}

}  // namespace spillway
