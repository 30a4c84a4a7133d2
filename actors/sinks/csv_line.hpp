#pragma once
#include "actors/sink.hpp"
#include "messages/columns.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::detail {

/// Appends text as one CSV cell: in quotes if it is empty or has a comma, a quote or a line end in it.
void append_csv_text(std::string& to, std::string_view text);

template <class Cell>
void append_csv_cell(std::string& to, const Cell& cell) {
  if constexpr (optional_like<Cell>) {
    if (cell) append_csv_cell(to, *cell);
  } else if constexpr (std::is_same_v<Cell, std::string>) {
    append_csv_text(to, cell);
  } else if constexpr (std::is_same_v<Cell, char>) {
    append_csv_text(to, {&cell, 1});
  } else {
    append_text(to, cell);
  }
}

/// Appends cells with commas between them.
struct csv_cells {
  std::string& to;
  bool first = true;

  template <class Cell>
  void operator()(const Cell& cell) {
    if (!first) to += ',';
    first = false;
    append_csv_cell(to, cell);
  }
};

/// Appends a row of plain columns as a line of CSV: null is nothing, an empty string "".
template <class T>
void append_csv_line(std::string& to, const T& row) {
  for_each_cell(row, csv_cells{to});
  to += '\n';
}

template <class T>
void append_csv_lines(std::string& to, const batch_of<T>& batch) {
  const auto* rows = batch.data();
  for (std::size_t i = 0, n = batch.size(); i < n; ++i) append_csv_line(to, rows[i]);
}

/// The names that the pipeline gives to the columns of its rows, or the rows' own.
std::vector<std::string> header_of(const sink_context& context, std::vector<std::string> own);

template <record T>
std::vector<std::string> header_of(const sink_context& context) {
  return header_of(context, column_names<T>());
}

void append_csv_header(std::string& to, std::span<const std::string> columns);

}  // namespace spillway::detail
