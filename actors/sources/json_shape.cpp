#include "actors/sources/json_shape.hpp"

#include <algorithm>
#include <utility>

namespace spillway::detail {
namespace {

json_field read_as(const column_binding& b, const json_field* own) {
  json_field field{b.column, b.member, b.from, b.to - b.from, own ? own->shape : json_shape{}};
  if (!b.state) return field;
  field.shape.is = json_shape::form::cell;
  field.shape.from = json_any;
  field.shape.store = b.reader.store;
  field.shape.state = b.state;
  field.shape.null.value = nullptr;
  field.shape.fields.clear();
  return field;
}

/// Checks what is inside of a shape, and numbers the objects.
void check(json_shape& shape, const std::string& where, std::size_t& objects) {
  if (shape.is == json_shape::form::object) shape.number = objects++;
  if (shape.is == json_shape::form::cell && !shape.store)
    throw pipeline_error{"the member '" + where + "' cannot be read from JSON: give it a function, columns{{\"" + where +
                         "\", &row::" + where + ", f}}"};
  for (auto f = shape.fields.begin(); f != shape.fields.end(); ++f) {
    const auto same = [&](const json_field& other) { return other.name == f->name; };
    if (shape.is == json_shape::form::object && std::any_of(shape.fields.begin(), f, same))
      throw pipeline_error{"two members are read from the field '" + f->name +
                           "': give one of them another with columns{{\"name\", "
                           "&row::member}}"};
    check(f->shape, f->member.empty() ? where : f->member, objects);
  }
}

}  // namespace

json_shape::json_shape() = default;
json_shape::json_shape(const json_shape&) = default;
json_shape::json_shape(json_shape&&) noexcept = default;
json_shape& json_shape::operator=(const json_shape&) = default;
json_shape& json_shape::operator=(json_shape&&) noexcept = default;
json_shape::~json_shape() = default;

void json_shape::add(const char* name, std::size_t number, std::size_t at, std::size_t size, json_shape shape) {
  const auto numbered = number == 0 ? std::string{name} : name + std::to_string(number);
  fields.push_back({numbered, name, at, size, std::move(shape)});
}

json_shape json_row_shape(json_shape own, const std::vector<column_binding>& named) {
  std::vector<json_field> fields;
  for (auto b = named.begin(); b != named.end(); ++b) {
    const auto overlaps = [&](const column_binding& o) { return b->from < o.to && o.from < b->to; };
    if (std::any_of(named.begin(), b, overlaps))
      throw pipeline_error{"columns mentions the member '" + b->member + "' twice: one field goes to one member"};
    const auto same = std::find_if(own.fields.begin(), own.fields.end(),
                                   [&](const json_field& f) { return f.at == b->from && f.at + f.size == b->to; });
    fields.push_back(read_as(*b, same == own.fields.end() ? nullptr : &*same));
  }
  for (auto& f : own.fields) {
    const auto within = [&](const json_field& o) { return f.at >= o.at && f.at + f.size <= o.at + o.size; };
    if (std::none_of(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(named.size()), within))
      fields.push_back(std::move(f));
  }
  own.fields = std::move(fields);
  std::size_t objects = 0;
  check(own, "value", objects);
  return own;
}

}  // namespace spillway::detail
