#pragma once
// Which subtask reads which split of a source, without the actor that tells them.
#include "actors/source.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace spillway {

/// Hands out the splits of a source as they are asked for: to whoever asks next, or (`fixed`) number n to subtask n modulo the
/// number of subtasks. A subtask without splits of its own is told so at once.
class split_enumerator {
 public:
  split_enumerator(std::unique_ptr<split_list> list, bool fixed, std::uint32_t subtasks);

  /// The next split of `subtask`, or none any more.
  std::optional<split> next(std::uint32_t subtask);

  /// True when every subtask has been told that there are no more.
  bool finished() const noexcept { return told_ == waiting_.size(); }

  std::uint64_t handed_out() const noexcept { return handed_out_; }
  std::optional<std::uint64_t> total() const { return list_->total(); }

 private:
  std::optional<split> take(std::uint32_t subtask);

  std::unique_ptr<split_list> list_;
  bool fixed_, listed_ = false;
  std::uint64_t found_ = 0, handed_out_ = 0;
  /// By subtask: its splits that were found while another's was looked for.
  std::vector<std::deque<split>> waiting_;
  std::size_t told_ = 0;
};

}  // namespace spillway
