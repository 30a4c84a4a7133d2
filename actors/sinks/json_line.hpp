#pragma once
#include "actors/sink.hpp"
#include "messages/json_fields.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace spillway::detail {

/// A field of rows; one that is a single column is called as the pipeline calls that.
struct json_field_name {
  std::string name;
  std::size_t columns = 1;
  bool is_column = true;
};

/// Rows as JSON lines, one object each.
class json_rows {
 public:
  /// Throws `pipeline_error` if two fields have one name.
  json_rows(const sink_context& context, std::vector<json_field_name> fields);
  ~json_rows();

  /// Where the text goes that is appended now.
  void append_to(std::string& text) noexcept { text_ = &text; }
  std::string& text() noexcept { return *text_; }

  void begin_field() { *text_ += heads_[field_++]; }
  void end_row() {
    *text_ += field_ == 0 ? "{}\n" : "}\n";
    field_ = 0;
    ++rows_;
  }

  void append_string(std::string_view text);
  void append_number(std::int64_t x);
  void append_number(std::uint64_t x);
  /// JSON has no infinity and no NaN: they are errors.
  void append_number(float x);
  void append_number(double x);

 private:
  [[noreturn]] void refuse(const std::string& what, const char* help) const;

  std::vector<std::string> names_, heads_;
  std::size_t field_ = 0;
  std::uint64_t rows_ = 0;
  std::string* text_ = nullptr;
};

/// Times of clocks that do not know the date, such as a steady one.
template <class T>
inline constexpr bool dateless = false;
template <class Clock, class Duration>
inline constexpr bool dateless<std::chrono::time_point<Clock, Duration>> = !std::is_same_v<Clock, std::chrono::system_clock>;

template <class T>
void append_json(json_rows& to, const T& value);

template <class T, class... Descriptors>
void append_json_members(json_rows& to, const T& value, boost::mp11::mp_list<Descriptors...>) {
  char before = '{';
  ((to.text() += before, to.text() += '"', to.text() += Descriptors::name,
    to.text() += "\":", append_json(to, value.*Descriptors::pointer), before = ','),
   ...);
  to.text() += before == '{' ? "{}" : "}";
}

template <class T, std::size_t... I>
void append_json_elements(json_rows& to, const T& value, std::index_sequence<I...>) {
  to.text() += '[';
  ((to.text() += I == 0 ? "" : ",", append_json(to, std::get<I>(value))), ...);
  to.text() += ']';
}

template <class T>
void append_json(json_rows& to, const T& value) {
  if constexpr (optional_like<T>) {
    if (value)
      append_json(to, *value);
    else
      to.text() += "null";
  } else if constexpr (std::is_same_v<T, std::string>) {
    to.append_string(value);
  } else if constexpr (std::is_same_v<T, char>) {
    to.append_string({&value, 1});
  } else if constexpr (std::is_same_v<T, bool>) {
    to.text() += value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    to.append_number(value);
  } else if constexpr (std::is_integral_v<T>) {
    to.append_number(static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value));
  } else if constexpr (std::is_enum_v<T> && !described_enum<T>) {
    append_json(to, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (is_duration<T>) {
    append_json(to, value.count());
  } else if constexpr (dateless<T>) {
    append_json(to, value.time_since_epoch().count());
  } else if constexpr (scalar<T>) {
    to.text() += '"';
    append_text(to.text(), value);
    to.text() += '"';
  } else if constexpr (list_like<T>) {
    auto before = '[';
    for (const auto& e : value) {
      to.text() += before;
      append_json(to, e);
      before = ',';
    }
    to.text() += before == '[' ? "[]" : "]";
  } else if constexpr (tuple_like<T>) {
    append_json_elements(to, value, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else {
    static_assert(described<T>, "a row that is written as JSON is made of described structs: this one has only bytes");
    append_json_members(to, value, members_of<T>{});
  }
}

struct json_field_writer {
  json_rows& to;

  template <class F>
  void operator()(const char*, std::size_t, const F& field) {
    to.begin_field();
    append_json(to, field);
  }
};

/// Appends rows `from` to `to` of a batch.
template <class T>
void append_json_rows(json_rows& out, const batch_of<T>& batch, std::size_t from, std::size_t to) {
  const auto* rows = batch.data();
  json_field_writer writer{out};
  for (; from < to; ++from) {
    visit_json_fields(rows[from], writer);
    out.end_row();
  }
}

struct json_name_collector {
  std::vector<json_field_name>& to;

  template <class F>
  void operator()(const char* name, std::size_t number, const F&) {
    using leaves = leaf_types<F>;
    constexpr auto is_column = std::is_same_v<leaves, boost::mp11::mp_list<F>>;
    to.push_back(
        {number == 0 ? std::string{name} : name + std::to_string(number), boost::mp11::mp_size<leaves>::value, is_column});
  }
};

template <class T>
std::vector<json_field_name> json_field_names() {
  const T row{};
  std::vector<json_field_name> names;
  json_name_collector collector{names};
  visit_json_fields(row, collector);
  return names;
}

}  // namespace spillway::detail
