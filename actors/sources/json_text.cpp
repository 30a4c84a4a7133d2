#include "actors/sources/json_text.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace spillway::detail {
namespace {

bool digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// The value of four hexadecimal digits, or -1.
std::int32_t hex4(const char* at) noexcept {
  std::int32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    const int d = digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (d < 0) return -1;
    value = value * 16 + d;
  }
  return value;
}

void append_utf8(std::string& to, std::int32_t c) {
  const auto byte = [&](std::int32_t b) { to += static_cast<char>(b); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xc0 | c >> 6);
  } else {
    if (c < 0x10000) {
      byte(0xe0 | c >> 12);
    } else {
      byte(0xf0 | c >> 18);
      byte(0x80 | (c >> 12 & 0x3f));
    }
    byte(0x80 | (c >> 6 & 0x3f));
  }
  byte(0x80 | (c & 0x3f));
}

char plain_escape(char c) noexcept {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '"':
    case '\\':
    case '/':
      return c;
    default:
      return 0;
  }
}

/// Takes what follows `\u` off the front of `raw`.
std::string_view take_unicode(std::string_view& raw, std::string& to) {
  const auto first = raw.size() < 4 ? -1 : hex4(raw.data());
  if (first < 0) return R"(has a \u without four hexadecimal digits)";
  raw.remove_prefix(4);
  constexpr std::string_view lone = R"(has half of a surrogate pair, which is no character)";
  if (first >= 0xdc00 && first < 0xe000) return lone;
  if (first < 0xd800 || first >= 0xe000) return append_utf8(to, first), std::string_view{};
  const auto second = raw.size() < 6 || !raw.starts_with("\\u") ? -1 : hex4(raw.data() + 2);
  if (second < 0xdc00 || second >= 0xe000) return lone;
  raw.remove_prefix(6);
  append_utf8(to, 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
  return {};
}

/// The length of the UTF-8 character at `at`, whose first byte is not ASCII, or 0.
std::size_t utf8_length(const unsigned char* at, std::size_t left) noexcept {
  const auto follows = [&](std::size_t i, unsigned char least = 0x80, unsigned char most = 0xbf) {
    return i < left && at[i] >= least && at[i] <= most;
  };
  const auto c = at[0];
  if (c >= 0xc2 && c <= 0xdf) return follows(1) ? 2 : 0;
  if (c >= 0xe0 && c <= 0xef) return follows(1, c == 0xe0 ? 0xa0 : 0x80, c == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
  if (c >= 0xf0 && c <= 0xf4)
    return follows(1, c == 0xf0 ? 0x90 : 0x80, c == 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

bool plain(char c) noexcept { return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\'; }

/// How many bytes from `at` on are ASCII and need no escape.
std::size_t plain_bytes(const char* at, std::size_t n) noexcept {
  std::size_t i = 0;
#ifdef __SSE2__
  const auto blank = _mm_set1_epi8(0x20), quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
  for (; i + 16 <= n; i += 16) {
    const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i));
    // Signed, so that bytes that are not ASCII are less than a blank, too.
    const auto hits =
        _mm_or_si128(_mm_cmplt_epi8(bytes, blank), _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)));
    if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits)))
      return i + static_cast<std::size_t>(std::countr_zero(mask));
  }
#endif
  while (i < n && plain(at[i])) ++i;
  return i;
}

void append_escape(std::string& to, char c) {
  constexpr auto digits = "0123456789abcdef";
  constexpr std::string_view named = "\b\f\n\r\t\"\\", letters = "bfnrt\"\\";
  to += '\\';
  if (const auto i = named.find(c); i != named.npos)
    to += letters[i];
  else
    (to += "u00") += {digits[c / 16], digits[c % 16]};
}

}  // namespace

std::string_view unescape_json(std::string_view raw, std::string& to) {
  to.clear();
  for (;;) {
    const auto at = raw.find('\\');
    to += raw.substr(0, at);
    if (at == raw.npos) return {};
    const auto escape = at + 1 < raw.size() ? raw[at + 1] : '\0';
    raw.remove_prefix(std::min(raw.size(), at + 2));
    if (escape == 'u') {
      if (const auto reason = take_unicode(raw, to); !reason.empty()) return reason;
    } else if (const auto c = plain_escape(escape)) {
      to += c;
    } else {
      return "has a backslash before a character that needs none in JSON";
    }
  }
}

const char* end_of_json_number(const char* at) noexcept {
  if (*at == '-') ++at;
  if (!digit(*at)) return nullptr;
  if (*at == '0') {
    ++at;
  } else {
    while (digit(*at)) ++at;
  }
  if (*at == '.') {
    if (!digit(*++at)) return nullptr;
    while (digit(*at)) ++at;
  }
  if (*at == 'e' || *at == 'E') {
    ++at;
    if (*at == '+' || *at == '-') ++at;
    if (!digit(*at)) return nullptr;
    while (digit(*at)) ++at;
  }
  return at;
}

bool append_json_text(std::string& to, std::string_view text) {
  to += '"';
  while (!text.empty()) {
    const auto n = plain_bytes(text.data(), text.size());
    to += text.substr(0, n);
    text.remove_prefix(n);
    if (text.empty()) break;
    std::size_t taken = 1;
    if (static_cast<signed char>(text.front()) >= 0) {
      append_escape(to, text.front());
    } else {
      taken = utf8_length(reinterpret_cast<const unsigned char*>(text.data()), text.size());
      if (taken == 0) return false;
      to += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
  to += '"';
  return true;
}

}  // namespace spillway::detail
