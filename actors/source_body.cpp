#include "actors/source_body.hpp"

#include <string>
#include <tuple>

namespace spillway::detail {
namespace {

using numbered = std::pair<std::uint32_t, std::uint32_t>;

}  // namespace

std::unique_ptr<split_list> one_for_each(const source_context& context) {
  std::vector<split> all;
  for (std::uint32_t n = 0; n < context.parallelism; ++n)
    all.push_back({std::to_string(n), saved::of(numbered{n, context.parallelism}), std::nullopt});
  return list_of(std::move(all));
}

std::unique_ptr<split_list> list_of(std::vector<split> all) { return std::make_unique<known_splits>(std::move(all)); }

source_context for_numbered(const split& s, source_context context) {
  std::tie(context.subtask, context.parallelism) = s.data.as<numbered>();
  return context;
}

}  // namespace spillway::detail
