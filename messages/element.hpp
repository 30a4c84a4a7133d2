#pragma once
// What flows on a channel, in order: a header, then all the others, and last an end mark. Nothing overtakes anything.
#include "messages/batch.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <variant>

namespace spillway {

/// Always the first element of a channel: whether the rows that follow are old.
struct header {
  bool backlog = false;
  friend bool operator==(const header&, const header&) = default;
};

/// No row with an event time at or before `at` follows, but for late ones.
struct watermark {
  timestamp at = min_time;
  friend bool operator==(const watermark&, const watermark&) = default;
};

/// The rows after it are old (`begins`) or live again.
struct backlog_mark {
  bool begins = false;
  friend bool operator==(const backlog_mark&, const backlog_mark&) = default;
};

/// Divides the rows that belong to checkpoint `number` from those after it.
struct barrier {
  std::uint64_t number = 0;
  friend bool operator==(const barrier&, const barrier&) = default;
};

/// The channel has nothing to say about event time until it is active again.
struct activity {
  bool idle = false;
  friend bool operator==(const activity&, const activity&) = default;
};

/// Nothing follows.
struct end_mark {
  friend bool operator==(const end_mark&, const end_mark&) = default;
};

/// All but batches: they cost neither credit nor permits.
using control = std::variant<header, watermark, backlog_mark, barrier, activity, end_mark>;

/// A batch, or a control element if the batch is null.
struct element {
  batch_ptr rows;
  control mark;
  /// Between a reader and its task: the side output that the rows belong to, from 1; 0 is the main one.
  std::uint8_t side = 0;

  element() = default;
  element(batch_ptr b) : rows(std::move(b)) {}
  element(control c) : mark(c) {}
  template <class M>
    requires std::is_constructible_v<control, M> && (!std::is_same_v<std::remove_cvref_t<M>, control>)
  element(M m) : mark(m) {}

  bool is_batch() const noexcept { return static_cast<bool>(rows); }
  template <class M>
  bool is() const noexcept {
    return !rows && std::holds_alternative<M>(mark);
  }
};

}  // namespace spillway
