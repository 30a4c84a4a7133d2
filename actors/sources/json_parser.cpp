#include "actors/sources/json_parser.hpp"

#include "actors/sources/json_text.hpp"
#include "messages/nearest.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace spillway::detail {
namespace {

using form = json_shape::form;

constexpr std::size_t most_shown = 80;

/// A value as it may stand in a message: in one line, not long.
std::string shown(const char* from, const char* to) {
  const std::string_view text{from, static_cast<std::size_t>(to - from)};
  // Not in the middle of a character.
  auto n = std::min(text.size(), most_shown);
  while (n < text.size() && n > 0 && (text[n] & 0xc0) == 0x80) --n;
  std::string out;
  append_visible(out, text.substr(0, n));
  return n < text.size() ? out + "…" : out;
}

const char* kinds(const json_shape& shape) {
  switch (shape.is) {
    case form::object:
      return "is not an object";
    case form::list:
    case form::tuple:
      return "is not a list";
    case form::cell:
      break;
  }
  switch (shape.from) {
    case json_text:
      return "is not a text";
    case json_bool:
      return "is not true or false";
    case json_number:
      return "is not a number";
    default:
      return "is not a text, a number, true or false";
  }
}

void prepare(std::deque<json_names>& names, const json_shape& shape) {
  if (shape.is == form::object) {
    auto& own = names.emplace_back();
    for (const auto& f : shape.fields) own.add_field(f.name);
  }
  for (const auto& f : shape.fields) prepare(names, f.shape);
}

}  // namespace

json_parser::json_parser(json_shape row) : row_(std::move(row)) { prepare(names_, row_); }

inline bool json_parser::opens(char closing) {
  ++next_;
  if (peek() != closing) return false;
  ++next_;
  return true;
}

inline json_parser::step json_parser::more(char closing) {
  const auto c = peek();
  if (c != ',' && c != closing) {
    fail_syntax(closing == '}' ? "a comma or '}'" : "a comma or ']'");
    return step::fault;
  }
  ++next_;
  return c == ',' ? step::more : step::end;
}

inline const json_names::name* json_parser::name(json_names& names) {
  if (peek() != '"') return fail_syntax("the name of a field"), nullptr;
  const auto* n = names.find(at() + 1);
  if (!n) return fail_at(at(), names.reason()), nullptr;
  ++next_;
  if (peek() != ':') return fail_syntax("a colon"), nullptr;
  ++next_;
  return n;
}

inline bool json_parser::is_word(const char* end) const noexcept { return end == end_ || (end < end_ && ends_json_word(*end)); }

inline bool json_parser::cell(const json_shape& shape, json_kind kind, const text_cell& text, const char* from, void* to) {
  if ((shape.from & kind) == 0) return fail_kind(shape);
  try {
    if (const auto reason = shape.store(shape.state.get(), text, to); !reason.empty())
      return fail_at(from, reason, "correct the file, or read the field with a function, columns{{\"name\", &row::member, f}}");
  } catch (const std::exception& e) {
    return fail_at(from, std::string{"was refused: "} + e.what(), "correct the file, or the function for this field");
  }
  ++next_;
  return true;
}

bool json_parser::parse(json_record& record, void* row) {
  base_ = record.base;
  next_ = record.places;
  end_ = record.end;
  depth_ = 0;
  const auto whole = peek() == '{' ? object(row_, static_cast<char*>(row)) : (fault_.field.clear(), fail_kind(row_));
  if (!whole) return false;
  if (at() < end_) {
    fault_.field.clear();
    return fail_at(at(), "stands behind the end of the record", "write one object in each line");
  }
  record.places = next_;
  return true;
}

bool json_parser::value(const json_shape& shape, void* to) {
  const auto c = peek();
  if (c == 'n' && end_ - at() >= 4 && std::memcmp(at(), "null", 4) == 0 && is_word(at() + 4)) {
    if (!shape.may_be_null())
      return fail_at(at(), "is no value for it", "make the member a std::optional, or leave such records out");
    shape.null.reset(to);
    ++next_;
    return true;
  }
  if (shape.null.value) to = shape.null.value(to);
  switch (shape.is) {
    case form::cell:
      return c == '"' ? text(shape, to) : word(shape, to);
    case form::object:
      return c == '{' ? object(shape, static_cast<char*>(to)) : fail_kind(shape);
    case form::list:
      return c == '[' ? list(shape, to) : fail_kind(shape);
    case form::tuple:
      return c == '[' ? tuple(shape, static_cast<char*>(to)) : fail_kind(shape);
  }
  return false;
}

bool json_parser::text(const json_shape& shape, void* to) {
  const auto* from = at();
  const auto end = end_of_json_text(from + 1);
  std::string_view text{from + 1, end.at};
  if (end.escapes) {
    if (const auto reason = unescape_json(text, text_); !reason.empty()) return fail_at(from, reason);
    text = text_;
  }
  return cell(shape, json_text, {text, true}, from, to);
}

bool json_parser::word(const json_shape& shape, void* to) {
  const auto* from = at();
  switch (peek()) {
    case 't':
      if (end_ - from >= 4 && std::memcmp(from, "true", 4) == 0 && is_word(from + 4))
        return cell(shape, json_bool, {{from, 4}, true}, from, to);
      break;
    case 'f':
      if (end_ - from >= 5 && std::memcmp(from, "false", 5) == 0 && is_word(from + 5))
        return cell(shape, json_bool, {{from, 5}, true}, from, to);
      break;
    case '{':
    case '[':
      return fail_kind(shape);
    default:
      if (const auto* end = end_of_json_number(from); end && is_word(end))
        return cell(shape, json_number, {{from, end}, true}, from, to);
  }
  return fail_syntax("a value");
}

bool json_parser::object(const json_shape& shape, char* to) {
  auto& names = names_[shape.number];
  names.begin();
  std::size_t found = 0;
  ++depth_;
  if (!opens('}')) {
    for (auto s = step::more; s == step::more;) {
      const auto* n = name(names);
      if (!n) return false;
      if (n->field == json_names::unknown) {
        if (!skip()) return fail_inside(n->text);
      } else {
        const auto& f = shape.fields[static_cast<std::size_t>(n->field)];
        if (!value(f.shape, to + f.at)) return fail_inside(f.name);
        ++found;
      }
      if ((s = more('}')) == step::fault) return false;
    }
  }
  --depth_;
  return found == shape.fields.size() || missing_fields(shape, names, to);
}

bool json_parser::missing_fields(const json_shape& shape, const json_names& names, char* to) {
  for (std::size_t i = 0; i < shape.fields.size(); ++i) {
    if (names.saw(i)) continue;
    const auto& f = shape.fields[i];
    if (!f.shape.may_be_null()) return fail_missing(f, names);
    f.shape.null.reset(to + f.at);
  }
  return true;
}

bool json_parser::list(const json_shape& shape, void* to) {
  const auto& element = shape.fields.front().shape;
  std::size_t n = 0;
  ++depth_;
  if (!opens(']')) {
    for (auto s = step::more; s == step::more;) {
      if (!value(element, shape.list.element(to, n))) return fail_inside('[' + std::to_string(n) + ']');
      ++n;
      if ((s = more(']')) == step::fault) return false;
    }
  }
  --depth_;
  shape.list.resize(to, n);
  return true;
}

bool json_parser::tuple(const json_shape& shape, char* to) {
  const auto* from = at();
  const auto wanted = shape.fields.size();
  std::size_t n = 0;
  ++depth_;
  if (!opens(']')) {
    for (auto s = step::more; s == step::more; ++n) {
      if (n == wanted) return fail_length(from, wanted);
      const auto& f = shape.fields[n];
      if (!value(f.shape, to + f.at)) return fail_inside('[' + std::to_string(n) + ']');
      if ((s = more(']')) == step::fault) return false;
    }
  }
  --depth_;
  return n == wanted || fail_length(from, wanted);
}

bool json_parser::skip() {
  switch (peek()) {
    case '{':
      return skip_object();
    case '[':
      return skip_list();
    case '"':
      return skip_text();
    case 'n':
      if (end_ - at() >= 4 && std::memcmp(at(), "null", 4) == 0 && is_word(at() + 4)) return ++next_, true;
      break;
    case 't':
      if (end_ - at() >= 4 && std::memcmp(at(), "true", 4) == 0 && is_word(at() + 4)) return ++next_, true;
      break;
    case 'f':
      if (end_ - at() >= 5 && std::memcmp(at(), "false", 5) == 0 && is_word(at() + 5)) return ++next_, true;
      break;
    default:
      if (const auto* end = end_of_json_number(at()); end && is_word(end)) return ++next_, true;
  }
  return fail_syntax("a value");
}

bool json_parser::skip_text() {
  const auto* from = at();
  const auto end = end_of_json_text(from + 1);
  if (end.escapes)
    if (const auto reason = unescape_json({from + 1, end.at}, text_); !reason.empty()) return fail_at(from, reason);
  ++next_;
  return true;
}

bool json_parser::skip_object() {
  if (++depth_ > most_depth) return fail("has more than 256 lists and objects in one another");
  while (skipped_.size() <= depth_) skipped_.emplace_back();
  auto& names = skipped_[depth_];
  names.begin();
  if (!opens('}')) {
    for (auto s = step::more; s == step::more;) {
      const auto* n = name(names);
      if (!n) return false;
      if (!skip()) return fail_inside(n->text);
      if ((s = more('}')) == step::fault) return false;
    }
  }
  --depth_;
  return true;
}

bool json_parser::skip_list() {
  if (++depth_ > most_depth) return fail("has more than 256 lists and objects in one another");
  if (!opens(']')) {
    for (auto s = step::more; s == step::more;) {
      if (!skip()) return false;
      if ((s = more(']')) == step::fault) return false;
    }
  }
  --depth_;
  return true;
}

bool json_parser::fail(std::string_view reason, std::string_view help) {
  fault_.field.clear();
  fault_.text.clear();
  fault_.reason = reason;
  fault_.help = help;
  return false;
}

bool json_parser::fail_at(const char* from, std::string_view reason, std::string_view help) {
  fail(reason, help);
  const auto* end = from + 1;
  if (*from == '"')
    end = end_of_json_text(from + 1).at + 1;
  else if (*from == '{' || *from == '[')
    end = std::min(end_, from + most_shown + 1);
  else if (!ends_json_word(*from) && *from != ':')
    while (end < end_ && !ends_json_word(*end)) ++end;
  fault_.text = shown(from, std::min(end, end_));
  return false;
}

bool json_parser::fail_syntax(std::string_view wanted) {
  if (at() >= end_) return fail("ends before it is whole", "the file may have been cut off here");
  return fail_at(at(), "stands where " + std::string{wanted} + " should be");
}

bool json_parser::fail_kind(const json_shape& shape) {
  if (at() >= end_) return fail_syntax("a value");
  return fail_at(at(), kinds(shape));
}

bool json_parser::fail_length(const char* from, std::size_t wanted) {
  return fail_at(from, "is not a list of " + std::to_string(wanted) + (wanted == 1 ? " value" : " values"));
}

bool json_parser::fail_missing(const json_field& field, const json_names& names) {
  std::string help = "make the member a std::optional, which is null then";
  if (const auto meant = nearest(field.name, names.strangers()))
    help = "did you mean '" + *meant + "'? read a field of another name with columns{{\"name\", &row::member}}";
  fail("does not have it", help);
  return fail_inside(field.name);
}

bool json_parser::fail_inside(std::string_view name) {
  auto& inner = fault_.field;
  std::string place{name};
  if (!inner.empty() && inner.front() != '[') place += '.';
  inner = place + inner;
  return false;
}

}  // namespace spillway::detail
