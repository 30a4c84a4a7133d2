#include "actors/sources/json_input.hpp"

#include "actors/sources/json_lines.hpp"

#include <algorithm>
#include <utility>

namespace spillway::detail {
namespace {

/// How much a reader does before it comes back to its thread.
constexpr std::uint64_t bytes_a_turn = 8 * 1024 * 1024;
constexpr std::uint32_t refusals_a_turn = 1000;

/// A record as it may stand in a message: in one line, not long, as ASCII if it is not UTF-8.
std::string shown(std::string_view text, bool utf8) {
  constexpr std::size_t most = 200;
  constexpr auto digits = "0123456789abcdef";
  auto n = std::min(text.size(), most);
  while (utf8 && n < text.size() && n > 0 && (text[n] & 0xc0) == 0x80) --n;
  std::string out;
  for (const char c : text.substr(0, n)) {
    if (!utf8 && (c & 0x80) != 0)
      (out += "\\x") += {digits[static_cast<unsigned char>(c) / 16], digits[c & 15]};
    else
      append_visible(out, {&c, 1});
  }
  return n < text.size() ? out + "…" : out;
}

json_fault no_json(json_index::found found) {
  switch (found) {
    case json_index::found::not_utf8:
      return {{}, {}, "is not UTF-8", "convert the file to UTF-8"};
    case json_index::found::control_character:
      return {{}, {}, "has a text with a control character in it", R"(write it as an escape, such as \t or \u0000)"};
    case json_index::found::open_text:
      return {{}, {}, "has a text that does not end", "close it with a quote; the file may have been cut off here"};
    default:
      return {{}, {}, "cannot be indexed", {}};
  }
}

}  // namespace

struct json_input::parts {
  got read(void* row);
  void refuse(json_fault fault, bool utf8 = true);

  json_lines lines;
  json_parser parser;
  bad_row_port& bad;
  std::size_t max_record;
  /// Of this turn.
  std::uint64_t bytes = 0;
  std::uint32_t refusals = 0;
};

json_input::got json_input::parts::read(void* row) {
  for (;;) {
    switch (lines.next()) {
      case json_lines::found::line:
        if (lines.blank()) continue;
        if (parser.parse(lines.record(), row)) return got::row;
        refuse(parser.fault());
        break;
      case json_lines::found::bad:
        refuse(no_json(lines.index_fault()), lines.index_fault() != json_index::found::not_utf8);
        break;
      case json_lines::found::too_long:
        refuse({{}, {}, "is longer than " + std::to_string(max_record) + " bytes", "raise max_record if there are such records"},
               false);
        break;
      case json_lines::found::needs_bytes: {
        if (bytes >= bytes_a_turn) return got::pause;
        const auto came = lines.receive();
        if (!came) return got::pause;
        bytes += *came;
        break;
      }
      case json_lines::found::end:
        return got::end;
    }
    if (refusals >= refusals_a_turn) return got::pause;
  }
}

void json_input::parts::refuse(json_fault fault, bool utf8) {
  ++refusals;
  const auto& path = lines.piece().path;
  const auto number = lines.number();
  auto place = number ? path + ':' + std::to_string(*number) : path + ", byte " + std::to_string(lines.offset_of_line());
  if (!fault.field.empty()) {
    place += ", field '";
    append_visible(place, fault.field);
    place += '\'';
  }
  if (fault.text.empty()) fault.text = shown(lines.text(), utf8);
  bad.refuse({{}, std::move(place), std::move(fault.text), std::move(fault.reason)}, fault.help);
}

json_input::json_input(const json_options& options, const split& part, json_shape row, bad_row_port& bad)
    : parts_(new parts{json_lines{part.data.as<json_piece>(), options.max_record, options.chunk}, json_parser{std::move(row)},
                       bad, options.max_record}) {}

json_input::~json_input() = default;

void json_input::begin() noexcept {
  parts_->bytes = 0;
  parts_->refusals = 0;
}

json_input::got json_input::read(void* row) { return parts_->read(row); }

read_progress json_input::progress() const {
  const auto& lines = parts_->lines;
  const auto& p = lines.piece();
  if (!p.is_piece()) return {lines.bytes_taken(), p.size};
  return {std::clamp(lines.offset(), p.from, p.to) - p.from, p.to - p.from};
}

source_position json_input::position() const {
  if (!parts_->lines.can_go()) return {};
  return saved::of(parts_->lines.position());
}

void json_input::seek(const source_position& p) { parts_->lines.go_to(p.as<json_position>()); }

std::unique_ptr<split_list> json_splits(const json_options& options) {
  return std::make_unique<json_pieces>(options.path, options.split_bytes);
}

}  // namespace spillway::detail
