#include "actors/sources/tail_records.hpp"

#include "messages/text.hpp"

namespace spillway::detail {

std::string shown_text(std::string_view text) {
  constexpr std::size_t most = 200;
  std::string out = "\"";
  append_visible(out, text.substr(0, most));
  return out + (text.size() > most ? "…\"" : "\"");
}

}  // namespace spillway::detail
