#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace spillway::detail {

/// The text of a file, decompressed where the file's name says so.
///
/// Errors: `data_error` with the path and the cause.
class byte_input {
 public:
  virtual ~byte_input() = default;

  /// Reads at most `n` bytes of text to `to`; 0 at the end. Null if none were at hand for 50 ms.
  virtual std::optional<std::size_t> read(char* to, std::size_t n) = 0;

  /// Goes on reading at byte `offset` of the text, which takes as long as reading to there where the file is compressed. Only if
  /// `can_go`.
  virtual void go_to(std::uint64_t offset) = 0;
  /// False for a pipe.
  virtual bool can_go() const = 0;

  /// Bytes of the file that were read.
  virtual std::uint64_t bytes_taken() const = 0;

  /// Tells the file from another of its name.
  virtual std::uint64_t inode() const = 0;
};

std::unique_ptr<byte_input> open_bytes(const std::string& path);

/// True for names that end in .gz or .zst.
bool is_compressed(const std::string& path);

}  // namespace spillway::detail
