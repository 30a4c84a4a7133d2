#pragma once
// What has to be found in many bytes fast.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace spillway::detail {

struct byte_counts {
  std::uint64_t quotes = 0, newlines = 0;
};

/// How many quotes and line feeds there are; several GB/s.
byte_counts count_bytes(std::string_view text) noexcept;

bool is_ascii(std::string_view text) noexcept;

/// How many bytes at the beginning of `text` are UTF-8, as Unicode has it: no surrogates, nothing overlong, nothing beyond
/// U+10FFFF.
std::size_t utf8_prefix(std::string_view text) noexcept;

inline bool is_utf8(std::string_view text) noexcept { return utf8_prefix(text) == text.size(); }

/// The first of them, or `end`.
const char* find_quote_or_newline(const char* at, const char* end) noexcept;

/// Behind the end of a record that goes on at `at`: behind the first line feed with an even number of quotes before it. Null if
/// that is not before `end`. `quoted` says whether `at` is within quotes, and then whether `end` is.
const char* record_end(const char* at, const char* end, bool& quoted) noexcept;

}  // namespace spillway::detail
