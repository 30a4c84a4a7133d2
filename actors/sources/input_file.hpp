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

  /// Reads at most `n` bytes to `to`; 0 at the end. Waits for a pipe that has none.
  std::size_t read(char* to, std::size_t n);

  /// The next read begins `offset` bytes behind the beginning. Not for pipes.
  void go_to(std::uint64_t offset);

  const std::string& path() const noexcept { return path_; }

  /// The size when it was opened; null for a pipe, whose bytes are gone once they are read.
  std::optional<std::uint64_t> size() const noexcept { return size_; }

  [[noreturn]] static void cannot_read(const std::string& path, const std::string& cause, const std::string& help);

 private:
  std::string path_;
  int file_ = -1;
  std::optional<std::uint64_t> size_;
};

/// Throws `data_error` if there is no such file. True if it may be opened more than once, as pipes may not.
bool check_input_file(const std::string& path);

}  // namespace spillway::detail
