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

std::string for_member(const wanted_column& w) {
  return w.member.empty() ? std::string{} : ", wanted for the member '" + w.member + '\'';
}

}  // namespace

void member_named_twice(const std::string& member) {
  throw pipeline_error{"columns mentions the member '" + member + "' twice: one column goes to one member"};
}

void member_without_function(const std::string& member) {
  throw pipeline_error{"the member '" + member + "' cannot be read from one cell: give it a function, columns{{\"" + member +
                       "\", &row::" + member + ", f}}"};
}

std::vector<std::size_t> find_columns(const std::string& file, std::span<const std::string> header,
                                      std::span<const wanted_column> wanted) {
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
