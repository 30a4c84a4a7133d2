#include "actors/sources/json_names.hpp"

#include "actors/sources/json_text.hpp"

#include <algorithm>
#include <cstring>

namespace spillway::detail {

void json_names::add_field(const std::string& text) { add(text, static_cast<int>(fields_++)); }

json_names::name& json_names::add(std::string_view text, int field) {
  const auto escaped = [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; };
  auto& n = names_.emplace_back();
  n.text = text;
  n.field = field;
  if (text.size() < sizeof n.bytes && std::none_of(text.begin(), text.end(), escaped)) {
    const auto in_record = n.text + '"';
    n.size = static_cast<std::uint32_t>(in_record.size());
    std::memcpy(n.bytes, in_record.data(), n.size);
    std::memset(n.mask, 0xff, n.size);
  }
  by_text_.emplace(n.text, &n);
  return n;
}

void json_names::begin() {
  ++object_;
  last_ = &first_;
  if (names_.size() <= fields_ + most) return;
  by_text_.clear();
  names_.resize(fields_);
  first_.next = nullptr;
  for (auto& n : names_) {
    n.next = nullptr;
    by_text_.emplace(n.text, &n);
  }
}

const json_names::name* json_names::look_up(const char* at) {
  const auto end = end_of_json_text(at);
  std::string_view text{at, end.at};
  if (end.escapes) {
    reason_ = unescape_json(text, unescaped_);
    if (!reason_.empty()) return nullptr;
    text = unescaped_;
  }
  auto* n = last_->next;
  // Long names are not guessed as short ones are, but it saves the search.
  if (!n || n->text != text) {
    const auto known = by_text_.find(text);
    n = known == by_text_.end() ? &add(text, unknown) : known->second;
    last_->next = n;
  }
  if (n->seen == object_) return reason_ = "is there twice", nullptr;
  n->seen = object_;
  return last_ = n;
}

std::vector<std::string> json_names::strangers() const {
  std::vector<std::string> all;
  for (auto i = fields_; i < names_.size(); ++i)
    if (names_[i].seen == object_) all.push_back(names_[i].text);
  return all;
}

}  // namespace spillway::detail
