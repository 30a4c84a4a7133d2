#pragma once
// Row types as JSON sees them: which values go where, by functions for each type of a value rather than for each row type.
#include "actors/sources/csv_columns.hpp"
#include "messages/json_fields.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace spillway::detail {

/// Kinds of JSON values that are no lists or objects; a set of them.
enum json_kind : std::uint8_t { json_null = 1, json_bool = 2, json_number = 4, json_text = 8, json_any = 15 };

/// A list in a row: its element `i`, made if it is the next, and what cuts it to `n` elements.
struct json_list_calls {
  void* (*element)(void* list, std::size_t i) = nullptr;
  void (*resize)(void* list, std::size_t n) = nullptr;
};

/// A value that may be null: what makes it so, and the value in it, made if it is null.
struct json_null_calls {
  void (*reset)(void* value) = nullptr;
  void* (*value)(void* value) = nullptr;
};

struct json_field;

/// How one value of a row is read.
struct json_shape {
  json_shape();
  json_shape(const json_shape&);
  json_shape(json_shape&&) noexcept;
  json_shape& operator=(const json_shape&);
  json_shape& operator=(json_shape&&) noexcept;
  ~json_shape();

  enum class form : std::uint8_t { cell, object, list, tuple };
  form is = form::cell;
  /// Of a cell: the kinds of values it is read from.
  std::uint8_t from = json_any;
  /// Of a cell. Its state is a user's function, if there is one.
  cell_store store = nullptr;
  std::shared_ptr<const void> state;
  /// Null for a value that is always there.
  json_null_calls null;
  json_list_calls list;
  /// Of an object by name, of a tuple in order, of a list one for all elements.
  std::vector<json_field> fields;
  /// Of an object: its number among those of the row.
  std::size_t number = 0;

  void add(const char* name, std::size_t number, std::size_t at, std::size_t size, json_shape shape);
  bool may_be_null() const noexcept { return null.reset != nullptr; }
};

struct json_field {
  std::string name, member;
  /// The bytes of the row or struct that it takes.
  std::size_t at = 0, size = 0;
  json_shape shape;
};

template <class M>
constexpr std::uint8_t json_kinds_of() {
  if constexpr (optional_like<M>)
    return json_kinds_of<typename M::value_type>();
  else if constexpr (std::is_same_v<M, std::string> || std::is_same_v<M, char>)
    return json_text;
  else if constexpr (std::is_same_v<M, bool>)
    return json_bool;
  else if constexpr (std::is_arithmetic_v<M>)
    return json_number;
  else if constexpr (is_time_point<M>)
    return std::is_same_v<typename M::clock, std::chrono::system_clock> ? json_text : json_number;
  else if constexpr (is_duration<M>)
    return json_number;
  else
    return described_enum<M> ? json_text : json_number;
}

template <class M>
struct json_calls {
  static void reset(void* to) { static_cast<M*>(to)->reset(); }
  static void* value(void* to) {
    auto& optional = *static_cast<M*>(to);
    return optional ? &*optional : &optional.emplace();
  }
  static void* element(void* to, std::size_t i) {
    auto& list = *static_cast<M*>(to);
    if (i == list.size()) list.emplace_back();
    return &list[i];
  }
  static void resize(void* to, std::size_t n) { static_cast<M*>(to)->resize(n); }
};

template <class M>
json_shape json_shape_of();

/// Adds what it is called with to a shape.
struct json_field_adder {
  const void* row;
  json_shape& to;

  template <class M>
  void operator()(const char* name, std::size_t number, const M& field) {
    const auto at = reinterpret_cast<const char*>(&field) - static_cast<const char*>(row);
    to.add(name, number, static_cast<std::size_t>(at), sizeof(M), json_shape_of<M>());
  }
};

template <class M>
json_shape json_shape_of() {
  json_shape shape;
  if constexpr (is_cell<M>) {
    shape.from = json_kinds_of<M>();
    shape.store = &store_cell<M>;
    if constexpr (optional_like<M>) shape.null.reset = &json_calls<M>::reset;
  } else if constexpr (optional_like<M>) {
    shape = json_shape_of<typename M::value_type>();
    shape.null = {&json_calls<M>::reset, &json_calls<M>::value};
  } else if constexpr (list_like<M>) {
    shape.is = json_shape::form::list;
    shape.list = {&json_calls<M>::element, &json_calls<M>::resize};
    shape.add("", 0, 0, sizeof(typename M::value_type), json_shape_of<typename M::value_type>());
  } else if constexpr (tuple_like<M> || described<M>) {
    const M value{};
    shape.is = tuple_like<M> ? json_shape::form::tuple : json_shape::form::object;
    json_field_adder adder{&value, shape};
    visit_json_fields(value, adder);
  }
  return shape;
}

/// The shape of a whole row, always an object. Its fields are called and read as `named` says.
json_shape json_row_shape(json_shape own, const std::vector<column_binding>& named);

template <class T>
json_shape json_row_shape(const columns<T>& named) {
  const T row{};
  json_shape own;
  own.is = json_shape::form::object;
  json_field_adder adder{&row, own};
  visit_json_fields(row, adder);
  return json_row_shape(std::move(own), named.named());
}

}  // namespace spillway::detail
