#include "actors/sinks/csv_line.hpp"

namespace spillway::detail {

void append_csv_text(std::string& to, std::string_view text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == text.npos) {
    to += text;
    return;
  }
  to += '"';
  for (auto at = text.find('"'); at != text.npos; at = text.find('"')) {
    (to += text.substr(0, at)) += "\"\"";
    text.remove_prefix(at + 1);
  }
  (to += text) += '"';
}

void append_csv_header(std::string& to, std::span<const std::string> columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) to += ',';
    append_csv_text(to, columns[i]);
  }
  to += '\n';
}

std::vector<std::string> header_of(const sink_context& context, std::vector<std::string> own) {
  auto names = context.columns.size() == own.size() ? context.columns : std::move(own);
  check_columns(context.step, names);
  return names;
}

}  // namespace spillway::detail
