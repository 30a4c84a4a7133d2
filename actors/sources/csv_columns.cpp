#include "actors/sources/csv_columns.hpp"

#include "messages/nearest.hpp"

#include <algorithm>

namespace spillway::detail {
namespace {

std::string list_of(std::span<const std::string> names) {
  constexpr std::size_t most = 30;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) (text += i == 0 ? "" : ", ") += names[i];
  if (names.size() > most) text += ", … " + std::to_string(names.size()) + " in all";
  return text;
}

std::string for_member(const column_binding& w) {
  return w.member.empty() ? std::string{} : ", wanted for the member '" + w.member + '\'';
}

[[noreturn]] void member_named_twice(const std::string& member) {
  throw pipeline_error{"columns mentions the member '" + member + "' twice: one column goes to one member"};
}

[[noreturn]] void member_without_function(const std::string& member) {
  throw pipeline_error{"the member '" + member + "' cannot be read from one cell: give it a function, columns{{\"" + member +
                       "\", &row::" + member + ", f}}"};
}

const column_binding* around(std::span<const column_binding> named, std::size_t from, std::size_t to) {
  for (const auto& n : named)
    if (from >= n.from && to <= n.to) return &n;
  return nullptr;
}

}  // namespace

column_bindings::column_bindings() noexcept = default;
column_bindings::column_bindings(const column_bindings&) = default;
column_bindings::column_bindings(column_bindings&&) noexcept = default;
column_bindings& column_bindings::operator=(const column_bindings&) = default;
column_bindings& column_bindings::operator=(column_bindings&&) noexcept = default;
column_bindings::~column_bindings() = default;

void column_bindings::add(column_binding b) { named_.push_back(std::move(b)); }

std::vector<column_binding> column_bindings::with_others(const leaf_list& leaves, const cell_reader* readers) const {
  std::vector<column_binding> all;
  for (const auto& n : named_) {
    if (around(all, n.from, n.to)) member_named_twice(n.member);
    all.push_back(n);
  }
  for (const auto& l : leaves.leaves()) {
    const auto reader = *readers++;
    if (around(named_, l.from, l.to)) continue;
    if (!reader.store) member_without_function(l.origin);
    all.push_back({l.name, l.origin, l.from, l.to, reader, {}});
  }
  return all;
}

std::vector<std::size_t> find_columns(const std::string& file, std::span<const std::string> header,
                                      std::span<const column_binding> wanted) {
  std::vector<std::size_t> places;
  for (const auto& w : wanted) {
    const auto at = std::find(header.begin(), header.end(), w.column);
    if (at == header.end()) {
      const auto meant = nearest(w.column, header);
      throw data_error{file + ": there is no column '" + w.column + '\'' + for_member(w) + "\n  note: its columns are " +
                       list_of(header) + "\n  help: " + (meant ? "did you mean '" + *meant + "'? " : std::string{}) +
                       "map a column of another name with columns{{\"name\", &row::member}}"};
    }
    if (std::find(at + 1, header.end(), w.column) != header.end())
      throw data_error{file + ": there are two columns '" + w.column + '\'' + for_member(w) +
                       "\n  help: rename one of them in the file"};
    places.push_back(static_cast<std::size_t>(at - header.begin()));
  }
  return places;
}

}  // namespace spillway::detail
