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
  n.plain = std::none_of(text.begin(), text.end(), escaped);
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

json_names::found json_names::find(const char* at, const char* last) {
  if (auto* guess = last_->next; guess && guess->plain) {
    const auto n = guess->text.size();
    if (n < static_cast<std::size_t>(last - at) && at[n] == '"' && std::memcmp(at, guess->text.data(), n) == 0)
      return {guess, at + n + 1, see(*guess)};
  }
  const auto end = end_of_json_text(at);
  std::string_view text{at, end.at};
  if (end.escapes) {
    if (const auto reason = unescape_json(text, unescaped_); !reason.empty()) return {nullptr, end.at + 1, reason};
    text = unescaped_;
  }
  auto& n = look_up(text);
  last_->next = &n;
  return {&n, end.at + 1, see(n)};
}

std::vector<std::string> json_names::strangers() const {
  std::vector<std::string> all;
  for (auto i = fields_; i < names_.size(); ++i)
    if (names_[i].seen == object_) all.push_back(names_[i].text);
  return all;
}

json_names::name& json_names::look_up(std::string_view text) {
  const auto at = by_text_.find(text);
  return at == by_text_.end() ? add(text, unknown) : *at->second;
}

std::string_view json_names::see(name& n) {
  if (n.seen == object_) return "is there twice";
  n.seen = object_;
  last_ = &n;
  return {};
}

}  // namespace spillway::detail
