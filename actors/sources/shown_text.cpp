#include "actors/sources/shown_text.hpp"

#include "actors/sources/byte_scan.hpp"
#include "messages/text.hpp"

namespace spillway::detail {

std::string shown_text(std::string_view text, bool in_quotes) {
  constexpr std::size_t most = 200;
  constexpr std::string_view digits = "0123456789abcdef";
  const auto is_cut = text.size() > most;
  text = text.substr(0, most);
  const std::string_view quote = in_quotes ? "\"" : "";
  std::string out{quote};
  for (;;) {
    const auto fine = utf8_prefix(text);
    append_visible(out, text.substr(0, fine));
    if (fine == text.size()) break;
    const auto byte = static_cast<unsigned char>(text[fine]);
    ((out += "\\x") += digits[byte / 16]) += digits[byte % 16];
    text.remove_prefix(fine + 1);
  }
  if (is_cut) out += "…";
  return out += quote;
}

}  // namespace spillway::detail
