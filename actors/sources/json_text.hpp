#pragma once
// The smallest pieces of JSON: texts with escapes, numbers.
#include <bit>
#include <string>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace spillway::detail {

struct json_text_end {
  /// At the closing quote.
  const char* at;
  bool escapes;
};

/// Where the text ends that begins at `at`, behind its quote. It is known to end; up to 16 bytes behind its end are read.
inline json_text_end end_of_json_text(const char* at) noexcept {
  auto escapes = false;
  for (;;) {
#ifdef __SSE2__
    const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto quotes = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'))));
    const auto slashes = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
    if ((quotes | slashes) == 0) {
      at += 16;
      continue;
    }
    at += std::countr_zero(quotes | slashes);
#endif
    if (*at == '"') return {at, escapes};
    const auto escape = *at == '\\';
    escapes = escapes || escape;
    at += escape ? 2 : 1;
  }
}

/// Replaces `to` by what `raw` says, a text without its quotes. Gives the reason why it says nothing: an escape that JSON does
/// not have, or half of a surrogate pair.
std::string_view unescape_json(std::string_view raw, std::string& to);

/// Where the number ends that begins at `at`, as JSON writes numbers, or null. A byte that belongs to no number follows it.
const char* end_of_json_number(const char* at) noexcept;

/// Whether something that is no text may end before `c`.
inline bool ends_json_word(char c) noexcept {
  return c == ',' || c == '}' || c == ']' || c == '\n' || c == ' ' || c == '\r' || c == '\t';
}

/// Appends text in quotes, with escapes where JSON asks for them. False if it is not UTF-8; a part of it is appended then.
[[nodiscard]] bool append_json_text(std::string& to, std::string_view text);

}  // namespace spillway::detail
