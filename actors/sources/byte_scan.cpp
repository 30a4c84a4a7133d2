#include "actors/sources/byte_scan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace spillway::detail {
namespace {

/// Bytes of `text` that are whole blocks of 16.
[[maybe_unused]] std::size_t whole_blocks(std::string_view text) noexcept { return text.size() & ~std::size_t{15}; }

#ifdef __SSE2__
__m128i block_at(const char* at) noexcept { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

std::uint64_t sum_of(__m128i counts) noexcept {
  const auto halves = _mm_sad_epu8(counts, _mm_setzero_si128());
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(halves)) +
         static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(halves, halves)));
}
#endif

/// The length of the character that `text` begins with, at least two bytes; 0 if it is none.
std::size_t wide_character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto within = [](unsigned x, unsigned from, unsigned to) { return x >= from && x <= to; };
  const auto follows = [&](std::size_t i) { return within(byte(i), 0x80, 0xbf); };
  const auto first = byte(0);
  if (within(first, 0xc2, 0xdf)) return follows(1) ? 2 : 0;
  if (within(first, 0xe0, 0xef)) {
    const auto fits = within(byte(1), first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    return fits && follows(2) ? 3 : 0;
  }
  if (!within(first, 0xf0, 0xf4)) return 0;
  const auto fits = within(byte(1), first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
  return fits && follows(2) && follows(3) ? 4 : 0;
}

}  // namespace

byte_counts count_bytes(std::string_view text) noexcept {
  byte_counts n;
#ifdef __SSE2__
  const auto quote = _mm_set1_epi8('"'), newline = _mm_set1_epi8('\n');
  const auto* at = text.data();
  for (auto left = whole_blocks(text); left > 0;) {
    // A byte of each sum counts to 255.
    const auto some = std::min<std::size_t>(left, 255 * 16);
    auto quotes = _mm_setzero_si128(), newlines = quotes;
    for (const auto* const stop = at + some; at < stop; at += 16) {
      const auto bytes = block_at(at);
      quotes = _mm_sub_epi8(quotes, _mm_cmpeq_epi8(bytes, quote));
      newlines = _mm_sub_epi8(newlines, _mm_cmpeq_epi8(bytes, newline));
    }
    n.quotes += sum_of(quotes);
    n.newlines += sum_of(newlines);
    left -= some;
  }
  text.remove_prefix(whole_blocks(text));
#endif
  n.quotes += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '"'));
  n.newlines += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return n;
}

bool is_ascii(std::string_view text) noexcept {
#ifdef __SSE2__
  auto any = _mm_setzero_si128();
  for (std::size_t i = 0; i < whole_blocks(text); i += 16) any = _mm_or_si128(any, block_at(text.data() + i));
  if (_mm_movemask_epi8(any) != 0) return false;
  text.remove_prefix(whole_blocks(text));
#endif
  unsigned char rest = 0;
  for (const auto c : text) rest |= static_cast<unsigned char>(c);
  return rest < 0x80;
}

std::size_t utf8_prefix(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const auto n = static_cast<unsigned char>(text[i]) < 0x80 ? 1 : wide_character(text.substr(i));
    if (n == 0) return i;
    i += n;
  }
  return text.size();
}

const char* find_quote_or_newline(const char* at, const char* end) noexcept {
#ifdef __SSE2__
  const auto quote = _mm_set1_epi8('"'), newline = _mm_set1_epi8('\n');
  for (; end - at >= 16; at += 16) {
    const auto bytes = block_at(at);
    const auto hits = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, newline));
    if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits))) return at + __builtin_ctz(mask);
  }
#endif
  while (at < end && *at != '"' && *at != '\n') ++at;
  return at;
}

const char* record_end(const char* at, const char* end, bool& quoted) noexcept {
  while (at < end) {
    if (quoted) {
      const auto* quote = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
      if (!quote) return nullptr;
      at = quote;
    } else {
      at = find_quote_or_newline(at, end);
      if (at == end) return nullptr;
      if (*at == '\n') return at + 1;
    }
    quoted = !quoted;
    ++at;
  }
  return nullptr;
}

}  // namespace spillway::detail
