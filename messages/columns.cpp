#include "messages/columns.hpp"

#include "messages/errors.hpp"

#include <algorithm>

namespace spillway {

void check_columns(std::string_view step, std::span<const std::string> names, std::span<const std::string> origins) {
  const auto place = [&](std::size_t i) {
    const auto column = "column " + std::to_string(i + 1);
    return i < origins.size() && !origins[i].empty() ? column + " (" + origins[i] + ')' : column;
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto first = static_cast<std::size_t>(std::find(names.begin(), names.end(), names[i]) - names.begin());
    if (first == i) continue;
    throw pipeline_error{"step '" + std::string{step} + "' gives two columns named '" + names[i] + "': " + place(first) +
                         " and " + place(i) + "\n  help: rename one, a key's with sw::key(\"name\", f)"};
  }
}

}  // namespace spillway
