#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace spillway {

/// The one of `names` that was probably meant by `wanted`: the fewest letters changed, added, dropped or swapped with their
/// neighbour, at most a third of them; upper and lower case count as equal. The first of equals; null if none is near.
std::optional<std::string> nearest(std::string_view wanted, std::span<const std::string> names);

}  // namespace spillway
