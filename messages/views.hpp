#pragma once
// What actors answer to `inspect`: typed snapshots of their state.
#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

/// One step inside a subtask.
struct step_view {
  std::string step;
  std::uint64_t rows_in = 0;
  std::uint64_t rows_out = 0;
  /// Keys that have state.
  std::uint64_t keys = 0;
  /// Bad rows that were skipped or set aside.
  std::uint64_t refused = 0;
};

/// One subpartition as its producer sees it.
struct output_view {
  std::uint32_t edge = 0;
  std::uint32_t subpartition = 0;
  std::uint32_t permits = 0;
  /// Elements that wait for a permit.
  std::size_t queued = 0;
};

/// A subtask at one moment.
struct task_view {
  subtask_id id;
  std::string name;
  std::vector<step_view> steps;
  std::vector<output_view> outputs;
  /// Elements that wait, for each input channel.
  std::vector<std::size_t> queued;
  timestamp watermark = min_time;
  bool backlog = false;
  bool aligning = false;
  bool blocked = false;
  bool finished = false;
  /// Of a source: what it has read, in bytes or rows, and of how much.
  std::uint64_t read_done = 0;
  std::optional<std::uint64_t> read_total;
};

/// One subpartition as its partition sees it.
struct subpartition_view {
  std::size_t queued = 0;
  std::uint32_t credit = 0;
  std::uint64_t batches = 0;
  std::uint64_t rows = 0;
  bool opened = false;
  bool ended = false;
};

/// A partition at one moment.
struct partition_view {
  edge_id edge;
  std::uint32_t producer = 0;
  std::vector<subpartition_view> subpartitions;
};

/// What is known of the splits of a source.
struct source_view {
  vertex_id vertex;
  /// False while it waits for the part before it to end.
  bool opened = true;
  std::uint64_t splits_handed_out = 0;
  /// The size of all splits, in what its subtasks count in `read_done`.
  std::optional<std::uint64_t> total;
};

/// What a job is doing.
enum class job_phase : std::uint8_t { running, cancelling, failing, finished, cancelled, failed };

/// A job at one moment. Subtasks that have ended are shown as they were then.
struct job_view {
  std::string name;
  job_phase phase = job_phase::running;
  std::vector<task_view> tasks;
  std::vector<partition_view> partitions;
  std::vector<source_view> sources;
};

}  // namespace spillway
