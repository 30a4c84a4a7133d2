#include "actors/sources/json_pieces.hpp"

#include "actors/sources/byte_input.hpp"

#include <algorithm>

namespace spillway::detail {
namespace {

/// So that the first line begins in the first piece, also behind a byte order mark.
constexpr std::size_t least_piece = 4;

}  // namespace

json_pieces::json_pieces(const std::string& path, std::size_t piece)
    : files_(find_files(path)), piece_(std::max(least_piece, piece)) {}

std::optional<split> json_pieces::next() {
  for (; at_ < files_.size(); ++at_, from_ = 0) {
    const auto& f = files_[at_];
    if (!f.size || is_compressed(f.path)) {
      if (f.size == 0) continue;
      ++at_;
      return split{f.path, saved::of(json_piece{f.path, 0, json_piece::whole, f.size, f.inode}), f.size};
    } else if (from_ < *f.size) {
      const json_piece p{f.path, from_, std::min(*f.size, from_ + piece_), f.size, f.inode};
      from_ = p.to;
      return split{f.path + '@' + std::to_string(p.from), saved::of(p), p.to - p.from};
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> json_pieces::total() const {
  std::uint64_t sum = 0;
  for (const auto& f : files_) {
    if (!f.size) return std::nullopt;
    sum += *f.size;
  }
  return sum;
}

}  // namespace spillway::detail
