#pragma once
#include <string>
#include <string_view>

namespace spillway::detail {

/// A file that is there as a whole or not at all: it is written under its name with ".part" added, next to it, and renamed at the
/// end; one that was there before is replaced, behind a symbolic link the one that it leads to. Folders on the way are made.
/// Without `close` what was written is removed. While it is written no other can, in any process of the machine. A pipe, a device
/// such as /dev/stdout, and what is open as standard output or error are written straight into; opening a named pipe waits for
/// its reader. Errors: `std::runtime_error` with the path and the cause.
class output_file {
 public:
  explicit output_file(std::string path);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();

  /// Where to append what is to be written. `write_large` from time to time keeps it small.
  std::string& buffer() noexcept { return buffer_; }

  /// Writes the buffer if it is worth it.
  void write_large() {
    if (buffer_.size() >= large) write();
  }
  void write();

  /// Writes what is left; a file waits until the disk has it, and gets its name.
  void close();

 private:
  static constexpr std::size_t large = 256 * 1024;

  [[noreturn]] void fail(int error) const;

  std::string path_, buffer_;
  /// "" for what is written straight into.
  std::string target_, part_;
  int file_ = -1;
};

}  // namespace spillway::detail
