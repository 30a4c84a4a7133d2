#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace spillway::detail {

/// A file open for reading from its beginning to its end. Errors: `data_error` with the path, the cause and, where there is one,
/// the name that was probably meant.
class input_file {
 public:
  explicit input_file(std::string path);
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;
  ~input_file();

  /// Reads at most `n` bytes to `to`; 0 at the end. Null if a pipe had none for 50 ms.
  std::optional<std::size_t> read(char* to, std::size_t n);

  /// Goes on reading at byte `offset`. Not for pipes.
  void go_to(std::uint64_t offset);

  const std::string& path() const noexcept { return path_; }

  /// Where the next byte is that will be read.
  std::uint64_t offset() const noexcept { return offset_; }

  /// The size when it was opened; null for a pipe, whose bytes are gone once they are read.
  std::optional<std::uint64_t> size() const noexcept { return size_; }

  /// Tells it from another file of its name, as long as both are there.
  std::uint64_t inode() const noexcept { return inode_; }

  [[noreturn]] static void cannot_read(const std::string& path, const std::string& cause, const std::string& help);

 private:
  bool has_bytes() const;

  std::string path_;
  int file_ = -1;
  std::optional<std::uint64_t> size_;
  std::uint64_t inode_ = 0, offset_ = 0;
};

/// Throws the error for a file that cannot be read because of `error`, as `errno` has it.
[[noreturn]] void cannot_read_file(const std::string& path, int error);

/// What to do about a path where nothing is: the name that was probably meant, if one is near.
std::string help_for_missing(const std::string& path);

}  // namespace spillway::detail
