#include "messages/columns.hpp"

#include "messages/errors.hpp"

#include <algorithm>

namespace spillway {
namespace detail {

leaf_list::leaf_list(const void* row) : row_(static_cast<const char*>(row)) {}
leaf_list::leaf_list(leaf_list&&) noexcept = default;
leaf_list::~leaf_list() = default;

std::vector<std::string> leaf_list::names() const {
  std::vector<std::string> all;
  for (const auto& l : leaves_) all.push_back(l.name);
  return all;
}

std::vector<std::string> leaf_list::origins() const {
  std::vector<std::string> all;
  for (const auto& l : leaves_) all.push_back(l.origin);
  return all;
}

void leaf_list::call(const char* name) {
  name_ = name;
  const auto& outer = outer_.back().second;
  origin_ = outer.empty() ? name_ : outer + '.' + name_;
}

void leaf_list::call_element(std::size_t i) {
  const auto number = std::to_string(i);
  call(number.c_str());
  name_ = outer_.back().first + number;
}

void leaf_list::enter() { outer_.emplace_back(name_, origin_); }
void leaf_list::leave() { outer_.pop_back(); }

void leaf_list::add(const void* leaf, std::size_t size) {
  const auto from = static_cast<std::size_t>(static_cast<const char*>(leaf) - row_);
  leaves_.push_back({name_, origin_, from, from + size});
}

}  // namespace detail

void check_columns(std::string_view step, std::span<const std::string> names, std::span<const std::string> origins) {
  const auto place = [&](std::size_t i) {
    const auto column = "column " + std::to_string(i + 1);
    return i < origins.size() && !origins[i].empty() ? column + " (" + origins[i] + ')' : column;
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto first = static_cast<std::size_t>(std::find(names.begin(), names.end(), names[i]) - names.begin());
    if (first == i) continue;
    throw pipeline_error{"step '" + std::string{step} + "' gives two columns named '" + names[i] + "': " + place(first) +
                         " and " + place(i) + "\n  help: rename one, a key's with sw::key(\"name\", f)"};
  }
}

}  // namespace spillway
