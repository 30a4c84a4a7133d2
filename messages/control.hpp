#pragma once
// What tasks, partitions, readers and the job say to one another, besides the elements on a channel.
#include "messages/element.hpp"
#include "messages/ids.hpp"
#include "messages/split.hpp"
#include "messages/views.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Task to partition: `e` is the next element of `subpartition`. A batch costs one permit.
struct put_element {
  std::uint32_t subpartition = 0;
  element e;
};

/// Task to partition, once: I am your producer, and call you my output `edge`.
struct attach_producer {
  std::uint32_t edge = 0;
};

/// Partition to task: you may send `batches` more.
struct grant_permits {
  std::uint32_t edge = 0;
  std::uint32_t subpartition = 0;
  std::uint32_t batches = 0;
};

/// Task to partition, once: I read `subpartition`, call it my input `channel`, and take `credit` batches for a start.
struct open_channel {
  std::uint32_t subpartition = 0;
  std::uint32_t channel = 0;
  std::uint32_t credit = 0;
};

/// Partition to task: `e` is the next element of `channel`. A batch costs one credit.
struct deliver_element {
  std::uint32_t channel = 0;
  element e;
};

/// Task to partition: you may deliver `batches` more.
struct return_credit {
  std::uint32_t subpartition = 0;
  std::uint32_t batches = 0;
};

/// Task to itself: go on, after what has arrived meanwhile.
struct go_on {};

/// Task to itself, after a delay: a source's rows are due. Of an older generation: ignored.
struct wake_up {
  std::uint64_t generation = 0;
};

/// Task to itself, after the buffer timeout: send what is not full.
struct flush_due {};

/// Reader, or task that reads a source itself, to the source's enumerator: I have nothing to read.
struct request_split {
  std::uint32_t subtask = 0;
};

/// The answer: read this. `history_end` is the greatest time of a row of the part before it, where that is known.
struct assign_split {
  split what;
  std::optional<timestamp> history_end;
};

/// The answer when there is nothing left for this subtask.
struct no_more_splits {};

/// Subtask of `then` to the enumerators of its second part: my first part has ended, and its greatest time was this. Also, to all
/// enumerators: the job is deployed.
struct part_ended {
  std::optional<timestamp> greatest;
};

/// Any actor of a job to the job: a line for its log.
struct job_note {
  std::string step;
  std::string text;
};

/// Task to itself: a stage wants to be told that nothing came, as a sink that ends its files by the clock does.
struct pause_due {};

/// Job to all of its actors, at high priority: stop now, in whatever state.
struct stop_work {};

/// Anyone to anyone: your state, as a view.
struct inspect_state {};

/// Task to job: all of my input ended, and all that came of it was sent.
struct subtask_finished {
  task_view last;
};

/// Task to job: user code or an operation of mine threw.
struct subtask_failed {
  subtask_id id;
  std::string step;
  /// The row as text, or "".
  std::string row;
  std::string cause;
};

/// From outside to the job: cancel everything.
struct cancel_job {};

/// From outside to the job, and from there to the task: has `step` message handlers of its own in `subtask`?
struct find_handlers {
  std::string step;
  std::uint32_t subtask = 0;
};

/// Reader to job, at its end and when asked: how far a source has been read.
struct reader_view {
  subtask_id id;
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
  /// Bad rows that were skipped or set aside.
  std::uint64_t refused = 0;
};

/// The answer to `inspect_state` of any actor below the job.
struct actor_view {
  std::variant<task_view, partition_view, reader_view, source_view> is;
};

}  // namespace spillway
