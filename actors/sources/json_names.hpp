#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace spillway::detail {

/// The names of the fields of one kind of object, which come in much the same order each time: a name is guessed from the one
/// before it and looked up only if that was wrong. Tells whether a name was there before in the same object.
class json_names {
 public:
  static constexpr int unknown = -1;

  struct name {
    std::string text;
    /// The number of the field, or `unknown`.
    int field = unknown;
    /// Its bytes in a record, with the closing quote, where it is not too long and nothing in it has an escape; else nothing.
    std::uint64_t bytes[2] = {0, 0};
    std::uint64_t mask[2] = {0, 0};
    std::uint32_t size = 0;
    /// The object in which it was seen last.
    std::uint64_t seen = 0;
    /// What followed it last.
    name* next = nullptr;

    bool is_at(const char* at) const noexcept {
      std::uint64_t there[2];
      std::memcpy(there, at, sizeof there);
      return size != 0 && (((there[0] & mask[0]) ^ bytes[0]) | ((there[1] & mask[1]) ^ bytes[1])) == 0;
    }
  };

  json_names() = default;
  json_names(const json_names&) = delete;
  json_names& operator=(const json_names&) = delete;

  /// Numbers the fields that are wanted in order.
  void add_field(const std::string& text);

  /// An object begins.
  void begin();

  /// The name whose text begins at `at`, which is known to end in a quote; up to 16 bytes behind its end are read. Null if it is
  /// none, or was there before: `reason` says why.
  const name* find(const char* at) {
    if (auto* guess = last_->next; guess && guess->is_at(at) && guess->seen != object_) [[likely]] {
      guess->seen = object_;
      return last_ = guess;
    }
    return look_up(at);
  }

  std::string_view reason() const noexcept { return reason_; }

  bool saw(std::size_t field) const noexcept { return names_[field].seen == object_; }

  /// The names of the object that are no fields.
  std::vector<std::string> strangers() const;

 private:
  static constexpr std::size_t most = 1024;

  name& add(std::string_view text, int field);
  const name* look_up(const char* at);

  std::deque<name> names_;
  std::unordered_map<std::string_view, name*> by_text_;
  std::size_t fields_ = 0;
  std::uint64_t object_ = 0;
  name first_;
  name* last_ = &first_;
  std::string unescaped_;
  std::string_view reason_;
};

}  // namespace spillway::detail
