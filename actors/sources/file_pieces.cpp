#include "actors/sources/file_pieces.hpp"

#include "actors/sources/byte_input.hpp"
#include "actors/sources/byte_scan.hpp"

#include <algorithm>
#include <utility>

namespace spillway::detail {
namespace {

/// Fits into a core's cache beside what others have there.
constexpr std::size_t counted_at_once = 128 * 1024;

constexpr auto write_aside = "give a file its name when it is whole, and write new ones beside it";

}  // namespace

file_pieces::file_pieces(const std::string& path, std::size_t piece)
    : files_(find_files(path)), piece_(std::max<std::size_t>(1, piece)) {}

file_pieces::~file_pieces() = default;

std::optional<split> file_pieces::next() {
  while (at_ < files_.size()) {
    const auto& f = files_[at_];
    if (!f.size || is_compressed(f.path)) {
      ++at_;
      if (f.size != 0) return whole(f);
    } else if (from_ < *f.size) {
      return cut(f);
    } else {
      ++at_;
      open_.reset();
      from_ = 0;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> file_pieces::total() const {
  std::uint64_t sum = 0;
  for (const auto& f : files_) {
    if (!f.size) return std::nullopt;
    sum += *f.size;
  }
  return sum;
}

split file_pieces::whole(const found_file& f) {
  file_piece p;
  p.path = f.path;
  p.to = file_piece::whole;
  p.size = f.size;
  p.inode = f.inode;
  return {f.path, saved::of(p), f.size};
}

split file_pieces::cut(const found_file& f) {
  if (from_ > 0) {
    count_to(from_);
  } else {
    quotes_ = lines_ = 0;
    last_ = '\n';
  }
  const auto in_quotes = quotes_ % 2 == 1;
  const file_piece p{
      f.path, from_, std::min<std::uint64_t>(*f.size, from_ + piece_), f.size, f.inode, in_quotes, !in_quotes && last_ == '\n',
      lines_};
  from_ = p.to;
  return {f.path + '@' + std::to_string(p.from), saved::of(p), p.to - p.from};
}

void file_pieces::count_to(std::uint64_t offset) {
  const auto& f = files_[at_];
  if (!open_) {
    open_ = std::make_unique<input_file>(f.path);
    if (open_->inode() != f.inode) was_replaced(f.path);
  }
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(counted_at_once);
  while (open_->offset() < offset) {
    const auto got = open_->read(buffer_.get(), std::min<std::uint64_t>(counted_at_once, offset - open_->offset())).value_or(0);
    if (got == 0) has_shrunk(f.path, *f.size);
    const auto n = count_bytes({buffer_.get(), got});
    quotes_ += n.quotes;
    lines_ += n.newlines;
    last_ = buffer_[got - 1];
  }
}

void has_shrunk(const std::string& path, std::uint64_t before) {
  input_file::cannot_read(path, "it has fewer than the " + std::to_string(before) + " bytes that it had when the job found it",
                          write_aside);
}

void was_replaced(const std::string& path) {
  input_file::cannot_read(path, "another file was given its name while the job read it", write_aside);
}

}  // namespace spillway::detail
