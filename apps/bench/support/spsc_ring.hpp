#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

namespace bench {

/// A queue of at most `Size` elements between one thread that puts and one that takes. Nobody ever waits inside it.
template <class T, std::size_t Size>
class spsc_ring {
  static_assert((Size & (Size - 1)) == 0);

 public:
  /// False if the ring is full; `x` is moved from only if not.
  bool put(T& x) {
    const auto at = put_.load(std::memory_order_relaxed);
    if (at - taken_.load(std::memory_order_acquire) == Size) return false;
    slots_[at % Size] = std::move(x);
    put_.store(at + 1, std::memory_order_release);
    return true;
  }

  bool take(T& x) {
    const auto at = taken_.load(std::memory_order_relaxed);
    if (at == put_.load(std::memory_order_acquire)) return false;
    x = std::move(slots_[at % Size]);
    taken_.store(at + 1, std::memory_order_release);
    return true;
  }

 private:
  std::array<T, Size> slots_;
  alignas(64) std::atomic<std::size_t> put_{0};
  alignas(64) std::atomic<std::size_t> taken_{0};
};

}  // namespace bench
