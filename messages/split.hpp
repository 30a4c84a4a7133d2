#pragma once
#include "messages/saved.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace spillway {

/// Where a reader is between two rows: whatever it needs to go on there.
using source_position = saved;

/// A part of a source that one reader at a time reads: a file or a piece of one, a partition of a topic.
struct split {
  /// Unique in its source, and the same in the next run.
  std::string name;
  /// What the source knows about it.
  saved data{};
  /// In what `read_progress` counts.
  std::optional<std::uint64_t> size{};
};

}  // namespace spillway
