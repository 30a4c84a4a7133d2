#pragma once
#include "actors/source.hpp"
#include "actors/sources/file_list.hpp"

#include <boost/describe/class.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace spillway::detail {

/// A piece of a file: the lines that begin in it.
struct json_piece {
  std::string path;
  /// Bytes of the text. `to` is the greatest number where the size is not known beforehand.
  std::uint64_t from = 0, to = 0;
  /// Of the whole file, in bytes, and null for a pipe.
  std::optional<std::uint64_t> size;
  std::uint64_t inode = 0;

  bool is_piece() const noexcept { return to != whole; }
  static constexpr auto whole = std::numeric_limits<std::uint64_t>::max();
};
BOOST_DESCRIBE_STRUCT(json_piece, (), (path, from, to, size, inode))

/// The files that a path means, cut into pieces of about `piece` bytes without a look into them. Compressed files and pipes are
/// not cut; empty files are left out.
class json_pieces final : public split_list {
 public:
  json_pieces(const std::string& path, std::size_t piece);

  std::optional<split> next() override;
  std::optional<std::uint64_t> total() const override;

 private:
  std::vector<found_file> files_;
  std::uint64_t piece_;
  std::size_t at_ = 0;
  std::uint64_t from_ = 0;
};

}  // namespace spillway::detail
