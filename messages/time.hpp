#pragma once
#include <chrono>

namespace spillway {

/// Event time: microseconds since 1970-01-01T00:00:00Z, without leap seconds.
using timestamp = std::chrono::sys_time<std::chrono::microseconds>;

/// The watermark before any other.
inline constexpr timestamp min_time = timestamp::min();

/// The watermark after which nothing comes: sent only when every input has ended.
inline constexpr timestamp max_time = timestamp::max();

}  // namespace spillway
