#pragma once
#include "actors/source.hpp"
#include "actors/sources/file_list.hpp"
#include "actors/sources/input_file.hpp"

#include <boost/describe/class.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spillway::detail {

/// A part of a text file: the records that begin in it. Whoever reads it goes on behind its end to where the last of them ends.
struct file_piece {
  std::string path;
  /// Bytes of the text. `to` is the greatest number where the size is not known beforehand.
  std::uint64_t from = 0, to = 0;
  /// Of the whole file, in bytes, and null for a pipe.
  std::optional<std::uint64_t> size;
  std::uint64_t inode = 0;
  /// What is known of the text before it: whether a quote is open, whether a record begins just here, how many line feeds there
  /// are.
  bool in_quotes = false;
  bool at_record = true;
  std::uint64_t lines = 0;

  bool is_piece() const noexcept { return to != whole; }
  static constexpr auto whole = std::numeric_limits<std::uint64_t>::max();
};
BOOST_DESCRIBE_STRUCT(file_piece, (), (path, from, to, size, inode, in_quotes, at_record, lines))

/// The files that a path means, cut into pieces of `piece` bytes. Compressed files and pipes are not cut; empty files are left
/// out. Quotes and lines are counted when the next piece is asked for.
///
/// Errors: `data_error`, also if a file has become shorter or is another by the time it is cut.
class file_pieces final : public split_list {
 public:
  file_pieces(const std::string& path, std::size_t piece);
  ~file_pieces() override;

  std::optional<split> next() override;
  std::optional<std::uint64_t> total() const override;

  /// True if the path is the name of one file, neither a folder nor a pattern.
  bool names(const std::string& path) const { return files_.front().path == path; }

 private:
  split whole(const found_file& f);
  split cut(const found_file& f);
  void count_to(std::uint64_t offset);

  std::vector<found_file> files_;
  std::size_t piece_;
  std::size_t at_ = 0;
  /// The file that is being cut.
  std::unique_ptr<input_file> open_;
  std::unique_ptr<char[]> buffer_;
  std::uint64_t from_ = 0, quotes_ = 0, lines_ = 0;
  char last_ = '\n';
};

/// Throws `data_error`: the file has fewer bytes than it had.
[[noreturn]] void has_shrunk(const std::string& path, std::uint64_t before);
/// The same: it is another file.
[[noreturn]] void was_replaced(const std::string& path);

}  // namespace spillway::detail
