#include "messages/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace spillway {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Edit distance with swaps of neighbours (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const auto swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view wanted, std::span<const std::string> names) {
  constexpr std::size_t longest = 200;
  if (wanted.size() > longest) return {};
  const std::string* best = nullptr;
  auto least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const auto& name : names) {
    if (name.empty() || name.size() > longest) continue;
    const auto d = distance(wanted, name);
    if (d < least && d < std::max(wanted.size(), name.size())) {
      best = &name;
      least = d;
    }
  }
  if (!best) return {};
  return *best;
}

}  // namespace spillway
