#pragma once
#include <cstddef>
#include <cstdint>
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
    /// Without anything that has an escape in JSON.
    bool plain = true;
    /// The object in which it was seen last.
    std::uint64_t seen = 0;
    /// What followed it last.
    name* next = nullptr;
  };

  json_names() = default;
  json_names(const json_names&) = delete;
  json_names& operator=(const json_names&) = delete;

  /// Numbers the fields that are wanted in order.
  void add_field(const std::string& text);

  /// An object begins.
  void begin();

  struct found {
    const name* is = nullptr;
    /// Behind the closing quote.
    const char* end = nullptr;
    /// Why the name is none, or empty.
    std::string_view reason{};
  };

  /// The name whose text begins at `at`, which is known to end in a quote; `last` is where the bytes end.
  found find(const char* at, const char* last);

  bool saw(std::size_t field) const noexcept { return names_[field].seen == object_; }

  /// The names of the object that are no fields.
  std::vector<std::string> strangers() const;

 private:
  static constexpr std::size_t most = 1024;

  name& add(std::string_view text, int field);
  name& look_up(std::string_view text);
  std::string_view see(name& n);

  std::deque<name> names_;
  std::unordered_map<std::string_view, name*> by_text_;
  std::size_t fields_ = 0;
  std::uint64_t object_ = 0;
  name first_;
  name* last_ = &first_;
  std::string unescaped_;
};

}  // namespace spillway::detail
