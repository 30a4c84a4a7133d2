#include "actors/row_time.hpp"

namespace spillway {

std::optional<timestamp> start_point::first_time(std::optional<timestamp> history_end) const {
  if (is == kind::time) return at;
  if (is != kind::after_history || !history_end) return std::nullopt;
  return *history_end < min_time + overlap ? min_time : *history_end - overlap;
}

}  // namespace spillway
