#pragma once
#include <compare>
#include <cstdint>

namespace spillway {

/// A number that does not convert into the numbers of other things.
template <class Tag>
struct strong_id {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(strong_id, strong_id) = default;
};

/// A step of the pipeline, in the order in which steps were added.
using step_id = strong_id<struct step_tag>;

/// A task: a chain of steps that runs as one.
using vertex_id = strong_id<struct vertex_tag>;

/// An edge between two tasks.
using edge_id = strong_id<struct edge_tag>;

/// One parallel copy of a task, in one attempt to run it.
struct subtask_id {
  vertex_id vertex;
  std::uint32_t subtask = 0;
  std::uint32_t attempt = 1;
  friend constexpr auto operator<=>(const subtask_id&, const subtask_id&) = default;
};

}  // namespace spillway
