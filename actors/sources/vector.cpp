#include "actors/sources/vector.hpp"

#include "messages/errors.hpp"

#include <string>

namespace spillway::detail {

std::uint64_t row_number(const source_position& p, std::uint64_t rows) {
  const auto next = p.as<std::uint64_t>();
  if (next > rows)
    throw data_error{"the job is to go on behind row " + std::to_string(next) + " of this source, but it has only " +
                     std::to_string(rows) + "\n  help: go on with the rows that the job began with"};
  return next;
}

}  // namespace spillway::detail
