#pragma once
#include <cstdint>

namespace bench {

/// What came out of a run: how many rows, and the sum of their values.
struct totals {
  std::uint64_t rows = 0;
  std::int64_t sum = 0;

  totals& operator+=(const totals& o) {
    rows += o.rows;
    sum += o.sum;
    return *this;
  }
  friend bool operator==(const totals&, const totals&) = default;
};

}  // namespace bench
