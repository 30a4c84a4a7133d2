#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace bench {

/// How often each latency was seen, in nanoseconds, to within 3 %.
class latencies {
 public:
  void add(std::int64_t ns) {
    const auto n = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0));
    ++seen_[bucket_of(n)];
    ++count_;
    max_ = std::max(max_, n);
  }

  void merge(const latencies& o) {
    for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i] += o.seen_[i];
    count_ += o.count_;
    max_ = std::max(max_, o.max_);
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t max() const { return max_; }

  /// The latency that the share `q` of all does not exceed.
  std::uint64_t quantile(double q) const {
    const auto wanted = static_cast<std::uint64_t>(q * static_cast<double>(count_));
    std::uint64_t sofar = 0;
    for (std::size_t i = 0; i < seen_.size(); ++i)
      if (sofar += seen_[i]; sofar > wanted) return std::min(end_of(i), max_);
    return max_;
  }

 private:
  static constexpr unsigned bits = 5;

  /// The leading bits of a number, and how many follow.
  static std::size_t bucket_of(std::uint64_t n) {
    if (n < (1U << bits)) return n;
    const auto shift = static_cast<unsigned>(std::bit_width(n)) - bits - 1;
    return (std::size_t{shift + 1} << bits) + (n >> shift) - (1U << bits);
  }
  static std::uint64_t end_of(std::size_t bucket) {
    if (bucket < (1U << bits)) return bucket;
    const auto shift = (bucket >> bits) - 1;
    return ((bucket & ((1U << bits) - 1)) + (1U << bits) + 1) << shift;
  }

  std::array<std::uint64_t, (65 - bits) << bits> seen_{};
  std::uint64_t count_ = 0, max_ = 0;
};

}  // namespace bench
