#pragma once
#include <string>
#include <string_view>

namespace spillway::detail {

/// Text of a record as it may stand in a message: in one line, in UTF-8, not long, in quotes unless it has its own.
std::string shown_text(std::string_view text, bool in_quotes = true);

}  // namespace spillway::detail
