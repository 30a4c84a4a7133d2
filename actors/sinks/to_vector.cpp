#include "actors/sinks/to_vector.hpp"

#include <array>
#include <functional>

namespace spillway::detail {

std::mutex& mutex_for(const void* address) noexcept {
  static std::array<std::mutex, 61> mutexes;
  return mutexes[std::hash<const void*>{}(address) / alignof(std::max_align_t) % mutexes.size()];
}

}  // namespace spillway::detail
