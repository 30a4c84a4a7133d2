#include "actors/task/split_enumerator.hpp"

#include <utility>

namespace spillway {

split_enumerator::split_enumerator(std::unique_ptr<split_list> list, bool fixed, std::uint32_t subtasks)
    : list_(std::move(list)), fixed_(fixed), waiting_(subtasks) {}

std::optional<split> split_enumerator::next(std::uint32_t subtask) {
  auto s = take(subtask);
  s ? ++handed_out_ : ++told_;
  return s;
}

std::optional<split> split_enumerator::take(std::uint32_t subtask) {
  auto& mine = waiting_[subtask];
  while (mine.empty() && !listed_) {
    auto s = list_->next();
    if (!s) {
      listed_ = true;
    } else {
      const auto whose = fixed_ ? found_ % waiting_.size() : subtask;
      ++found_;
      waiting_[whose].push_back(std::move(*s));
    }
  }
  if (mine.empty()) return std::nullopt;
  auto s = std::move(mine.front());
  mine.pop_front();
  return s;
}

}  // namespace spillway
