#pragma once
#include "actors/sink.hpp"
#include "actors/sinks/csv_line.hpp"
#include "actors/sinks/text_table.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// How rows are printed: in aligned columns, or as lines of CSV as they come.
enum class print_form : std::uint8_t { table, lines };
inline constexpr auto lines = print_form::lines;

namespace detail {

template <class Cell>
inline constexpr bool right_aligned =
    (std::is_arithmetic_v<Cell> && !std::is_same_v<Cell, bool> && !std::is_same_v<Cell, char>) || is_duration<Cell>;
template <class Cell>
inline constexpr bool right_aligned<std::optional<Cell>> = right_aligned<Cell>;

template <class Cell>
std::string table_cell(const Cell& cell) {
  std::string text;
  if constexpr (optional_like<Cell>)
    return cell ? table_cell(*cell) : text;
  else if constexpr (std::is_floating_point_v<Cell>)
    append_rounded(text, static_cast<double>(cell));
  else if constexpr (std::is_same_v<Cell, std::string>)
    append_visible(text, cell);
  else
    append_text(text, cell);
  return text;
}

/// Gives the cells of rows to a table.
struct table_cells {
  text_table& to;

  template <class Cell>
  void operator()(const Cell& cell) const {
    to.add_cell(table_cell(cell));
  }
};

template <class... Cells>
const bool* right_aligned_columns(boost::mp11::mp_list<Cells...>) {
  static constexpr bool all[] = {right_aligned<Cells>..., false};
  return all;
}

template <record T>
class table_writer final : public sink_writer<T> {
 public:
  table_writer(std::FILE* to, const std::vector<std::string>& names)
      : table_(to, names, right_aligned_columns(leaf_types<T>{})) {}

  void write(const batch_of<T>& batch) override {
    const auto* rows = batch.data();
    for (std::size_t i = 0, n = batch.size(); i < n; ++i) {
      for_each_cell(rows[i], table_cells{table_});
      table_.end_row();
    }
  }
  void flush() override { table_.show(); }
  void close() override { table_.show(); }

 private:
  text_table table_;
};

template <record T>
class line_writer final : public sink_writer<T> {
 public:
  line_writer(std::FILE* to, const std::vector<std::string>& names) : to_(to) { append_csv_header(text_, names); }

  void write(const batch_of<T>& batch) override {
    append_csv_lines(text_, batch);
    print(to_, text_);
  }
  void flush() override { print(to_, text_); }
  void close() override { print(to_, text_); }

 private:
  std::FILE* to_;
  std::string text_;
};

template <record T>
std::unique_ptr<sink_writer<T>> open_printer(std::FILE* to, print_form as, const sink_context& context) {
  const auto names = header_of<T>(context);
  if (as == print_form::lines) return made<sink_writer<T>, line_writer<T>>(to, names);
  return made<sink_writer<T>, table_writer<T>>(to, names);
}

}  // namespace detail

/// Prints the rows, by one writer. A table has numbers on the right, floating point ones with 4 decimals; its first rows (up to
/// 1000) appear at the end, or when no row has come for a moment, as they decide how wide the columns are. Lines hold the exact
/// values.
struct to_stdout {
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;
  static constexpr auto verb = "to_stdout";

  print_form as = print_form::table;

  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context& context) const {
    static_assert(!has_list_column<T>,
                  "to_stdout needs rows of plain columns: a member is a list (use flat_map to give a row for each element)");
    if constexpr (!has_list_column<T>) return detail::open_printer<T>(stdout, as, context);
  }
};

}  // namespace spillway
