#pragma once
#include <cstddef>
#include <memory>
#include <span>

namespace spillway::detail {

/// Decompresses a sequence of members, each compressed by itself. Errors: `std::runtime_error` saying what is wrong with the
/// bytes.
class decoder {
 public:
  virtual ~decoder() = default;

  struct step {
    std::size_t taken = 0, given = 0;
  };

  /// Takes bytes of `in` and writes to `to`, at least one of the two unless `in` is empty and nothing is held back.
  virtual step decode(std::span<const char> in, std::span<char> to) = 0;

  /// True if the bytes may end here: every member that began has ended.
  virtual bool may_end() const = 0;
};

std::unique_ptr<decoder> gzip_decoder();
std::unique_ptr<decoder> zstd_decoder();

}  // namespace spillway::detail
