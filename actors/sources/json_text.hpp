#pragma once
// The smallest pieces of JSON: texts with escapes, numbers.
#include <string>
#include <string_view>

namespace spillway::detail {

struct json_text_end {
  /// At the closing quote.
  const char* at;
  bool escapes;
};

/// Where the text ends that begins at `at`, behind its quote. It is known to end; up to 16 bytes behind its end are read.
json_text_end end_of_json_text(const char* at) noexcept;

/// Replaces `to` by what `raw` says, a text without its quotes. Gives the reason why it says nothing: an escape that JSON does not
/// have, or half of a surrogate pair.
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
