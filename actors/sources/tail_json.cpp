#include "actors/sources/tail_json.hpp"

#include "actors/sources/json_index.hpp"
#include "actors/sources/json_parser.hpp"
#include "actors/sources/tail_lines.hpp"

#include <utility>

namespace spillway::detail {
namespace {

static_assert(line_splitter::padding >= json_index::padding);

class json_stream final : public line_stream {
 public:
  json_stream(std::string place, json_shape row, std::size_t max_record, bad_row_port& bad)
      : line_stream(std::move(place), max_record, bad, false), parser_(std::move(row)) {}

  did read(row_slots& to) override {
    return read_lines(to, [this](std::string_view line, void* row) { return take(line, row); });
  }

 private:
  bool take(std::string_view line, void* row) {
    if (const auto found = index_.build(line.data(), line.size()); found != json_index::found::ok) {
      refuse_unindexed(line, found);
      return false;
    }
    json_record record{line.data(), index_.places(), line.data() + line.size()};
    if (*record.places >= line.size()) return false;
    if (parser_.parse(record, row)) return true;
    const auto& fault = parser_.fault();
    std::string where;
    if (!fault.field.empty()) append_visible(where += ", field '", fault.field), where += '\'';
    refuse(where, fault.text.empty() ? shown(line) : fault.text, fault.reason, fault.help);
    return false;
  }

  void refuse_unindexed(std::string_view line, json_index::found found) {
    switch (found) {
      case json_index::found::not_utf8:
        return refuse({}, shown(line), "is not UTF-8", "convert what writes it to UTF-8");
      case json_index::found::control_character:
        return refuse({}, shown(line), "has a text with a control character in it",
                      R"(write it as an escape, such as \t or \u0000)");
      case json_index::found::open_text:
        return refuse({}, shown(line), "has a text that does not end", "close it with a quote");
      default:
        return refuse({}, shown(line), "cannot be indexed", {});
    }
  }

  json_index index_;
  json_parser parser_;
};

}  // namespace

std::unique_ptr<record_stream> json_records(std::string place, json_shape row, std::size_t max_record, bad_row_port& bad) {
  return std::make_unique<json_stream>(std::move(place), std::move(row), max_record, bad);
}

}  // namespace spillway::detail
