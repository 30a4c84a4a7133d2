#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace spillway::detail {

/// Where the brackets, colons, commas, texts, numbers and words of a piece of JSON begin: found for many records at once, before
/// any of them is looked at.
///
/// Threads: used by one thread at a time.
class json_index {
 public:
  /// So many bytes behind the piece are read, and may be anything.
  static constexpr std::size_t padding = 64;

  enum class found : std::uint8_t { ok, not_utf8, control_character, open_text, failed };

  json_index();
  ~json_index();

  /// Indexes `size` bytes, less than 4 GiB of them. With `ok` they are UTF-8, each text that begins in them ends in them, and no
  /// text holds a control character, so none reaches over the end of its line.
  found build(const char* bytes, std::size_t size);

  /// The places, in order, then `size`, which ends them. Valid until the next `build`.
  const std::uint32_t* places() const noexcept { return places_; }

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
  const std::uint32_t* places_ = nullptr;
};

}  // namespace spillway::detail
