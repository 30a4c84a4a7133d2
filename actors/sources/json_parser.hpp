#pragma once
#include "actors/sources/json_names.hpp"
#include "actors/sources/json_shape.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace spillway::detail {

/// What is wrong with a record.
struct json_fault {
  /// Where in it, as in `parts[2].name`; "" for all of it.
  std::string field;
  /// The value as it stands there, in one line and not long; may be empty.
  std::string text;
  std::string reason, help;
};

/// Bytes that are a record, and the places in them, see `json_index`.
struct json_record {
  const char* base;
  const std::uint32_t* places;
  const char* end;
};

/// Stores records in rows. All of a record is checked, also what no member wants.
///
/// Threads: used by one thread at a time.
class json_parser {
 public:
  /// How deep lists and objects may be in one another.
  static constexpr unsigned most_depth = 256;

  explicit json_parser(json_shape row);

  /// Stores a record in the row at `row`, and moves its `places` behind it. False if it is no row: `fault` says why, and the row
  /// holds anything.
  bool parse(json_record& record, void* row);

  const json_fault& fault() const noexcept { return fault_; }

 private:
  char peek() const noexcept { return base_ + *next_ < end_ ? base_[*next_] : '\0'; }
  const char* at() const noexcept { return base_ + *next_; }

  bool value(const json_shape& shape, void* to);
  bool cell(const json_shape& shape, json_kind kind, const text_cell& text, const char* from, void* to);
  bool text(const json_shape& shape, void* to);
  bool word(const json_shape& shape, void* to);
  bool object(const json_shape& shape, char* to);
  bool missing_fields(const json_shape& shape, const json_names& names, char* to);
  bool list(const json_shape& shape, void* to);
  bool tuple(const json_shape& shape, char* to);

  bool skip();
  bool skip_object();
  bool skip_list();
  bool skip_text();

  /// Goes on behind a bracket, true if the closing one follows at once.
  bool opens(char closing);
  enum class step : std::uint8_t { more, end, fault };
  /// Goes on behind a comma or the closing bracket.
  step more(char closing);
  const json_names::name* name(json_names& names);
  bool is_word(const char* end) const noexcept;

  bool fail(std::string_view reason, std::string_view help = {});
  bool fail_at(const char* from, std::string_view reason, std::string_view help = {});
  bool fail_syntax(std::string_view wanted);
  bool fail_kind(const json_shape& shape);
  bool fail_length(const char* from, std::size_t wanted);
  bool fail_missing(const json_field& field, const json_names& names);
  bool fail_inside(std::string_view name);

  json_shape row_;
  std::deque<json_names> names_;
  /// For objects that no member wants, by depth.
  std::deque<json_names> skipped_;
  const char* base_ = nullptr;
  const std::uint32_t* next_ = nullptr;
  const char* end_ = nullptr;
  unsigned depth_ = 0;
  std::string text_;
  json_fault fault_;
};

}  // namespace spillway::detail
