#include "actors/sources/json_lines.hpp"

#include "actors/sources/byte_scan.hpp"
#include "actors/sources/file_pieces.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace spillway::detail {
namespace {

/// Lines are counted from the beginning of the file if that is no more than so many bytes away.
constexpr std::uint64_t most_counted = 256 * 1024 * 1024;

constexpr std::size_t counted_at_once = 128 * 1024;

/// What is read at a time behind the end of a piece.
constexpr std::size_t small_chunk = 16 * 1024;

char* last_line_end(char* from, char* to) noexcept {
  auto* const found = static_cast<char*>(memrchr(from, '\n', static_cast<std::size_t>(to - from)));
  return found ? found + 1 : nullptr;
}

}  // namespace

json_lines::json_lines(json_piece piece, std::size_t max_record, std::size_t chunk)
    : piece_(std::move(piece)),
      max_record_(max_record),
      chunk_(std::max<std::size_t>(chunk, 1)),
      bytes_(open_bytes(piece_.path)) {
  if (bytes_->inode() != piece_.inode) was_replaced(piece_.path);
  if (piece_.from == 0)
    first_number_ = 1;
  else
    // From the byte before on: if that ends a line, the first one here begins at once.
    go_to({piece_.from - 1, 0, true});
}

void json_lines::go_to(const json_position& p) {
  bytes_->go_to(p.offset);
  line_ = next_ = lines_end_ = end_ = buffer_.get();
  end_offset_ = p.offset;
  inside_ = p.inside;
  lines_ = 0;
  first_number_.reset();
  if (p.line > 0) first_number_ = p.line;
}

json_lines::found json_lines::next() {
  if (offset() >= piece_.to) return found::end;
  if (next_ == lines_end_) {
    if (inside_ || pending() <= max_record_ + 1) return ended_ ? found::end : found::needs_bytes;
    line_ = next_;
    record_.end = next_ = lines_end_ = end_;
    inside_ = true;
    return found::too_long;
  }
  while (indexed_ && record_.base + *record_.places < next_) ++record_.places;
  line_ = next_;
  auto* const line_end = static_cast<char*>(std::memchr(next_, '\n', static_cast<std::size_t>(lines_end_ - next_)));
  record_.end = line_end ? line_end : lines_end_;
  next_ = line_end ? line_end + 1 : lines_end_;
  ++lines_;
  const auto size = text().size();
  if (size > max_record_ && size - (record_.end[-1] == '\r' ? 1 : 0) > max_record_) return found::too_long;
  if (indexed_) return found::line;
  fault_ = index_.build(line_, size);
  record_.base = line_;
  record_.places = index_.places();
  return fault_ == json_index::found::ok ? found::line : found::bad;
}

std::optional<std::size_t> json_lines::receive() {
  const auto kept = pending();
  // At least as much again, so that a long line is not moved many times; but not much more than the piece.
  auto n = std::max(chunk_, kept);
  if (piece_.is_piece())
    n = end_offset_ < piece_.to ? std::min<std::uint64_t>(n, piece_.to - end_offset_) : std::max(std::min(n, small_chunk), kept);
  if (capacity_ < kept + n + json_index::padding) {
    capacity_ = kept + std::max(n, chunk_) + json_index::padding;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
    if (kept > 0) std::memcpy(larger.get(), next_, kept);
    buffer_ = std::move(larger);
  } else if (kept > 0) {
    std::memmove(buffer_.get(), next_, kept);
  }
  line_ = next_ = lines_end_ = buffer_.get();
  end_ = next_ + kept;
  const auto got = bytes_->read(end_, n);
  if (!got) return got;
  end_ += *got;
  end_offset_ += *got;
  std::memset(end_, 0, json_index::padding);
  if (*got == 0) {
    if (piece_.size && bytes_->bytes_taken() < *piece_.size) has_shrunk(piece_.path, *piece_.size);
    ended_ = true;
  }
  if (inside_) {
    skip_rest_of_line();
  } else {
    if (offset() == 0) drop_mark();
    lines_end_ = ended_ ? end_ : last_line_end(std::max(next_, end_ - *got), end_);
    if (!lines_end_) lines_end_ = next_;
  }
  index_lines();
  return got;
}

void json_lines::skip_rest_of_line() {
  auto* const line_end = static_cast<char*>(std::memchr(next_, '\n', pending()));
  line_ = next_ = lines_end_ = line_end ? line_end + 1 : end_;
  if (!line_end) return;
  inside_ = false;
  // Where lines are not counted yet, it is one of those before the first.
  if (first_number_) ++lines_;
  if (auto* const last = last_line_end(next_, end_)) lines_end_ = last;
}

void json_lines::drop_mark() noexcept {
  if (pending() >= 3 && std::memcmp(next_, "\xef\xbb\xbf", 3) == 0) line_ = next_ += 3;
}

void json_lines::index_lines() {
  indexed_ = false;
  if (next_ == lines_end_) return;
  fault_ = index_.build(next_, static_cast<std::size_t>(lines_end_ - next_));
  indexed_ = fault_ == json_index::found::ok;
  record_ = {next_, index_.places(), next_};
}

std::optional<std::uint64_t> json_lines::number() {
  const auto before = inside_ ? lines_ : lines_ - 1;
  if (!first_number_) {
    const auto wanted = offset_of_line();
    if (wanted > most_counted) return std::nullopt;
    const auto bytes = open_bytes(piece_.path);
    std::vector<char> text(counted_at_once);
    std::uint64_t newlines = 0;
    for (std::uint64_t left = wanted; left > 0;) {
      const auto got = bytes->read(text.data(), std::min<std::uint64_t>(text.size(), left)).value_or(0);
      if (got == 0) return std::nullopt;
      newlines += count_bytes({text.data(), got}).newlines;
      left -= got;
    }
    first_number_ = newlines + 1 - before;
  }
  return *first_number_ + before;
}

}  // namespace spillway::detail
