#pragma once
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::detail {

/// Writes all of `text`. Throws `std::runtime_error` if that fails.
void write_out(std::FILE* to, std::string_view text);

/// Writes all of `text` and empties it.
void print(std::FILE* to, std::string& text);

/// Whoever draws on the terminal that rows are printed on is asked to clear it before the first of them. `clear` is called once,
/// on the printing thread, while no `unless_printed` runs; an empty one takes the request back.
void before_first_print(std::function<void()> clear);

/// Calls `draw` if no row has been printed since `before_first_print`, and keeps rows back meanwhile.
void unless_printed(const std::function<void()>& draw);

/// Appends a number with 4 decimals, or 4 significant digits and an exponent if it is very large or very small.
void append_rounded(std::string& to, double x);

/// A table of aligned columns. The first rows are held until the widths are known from them.
class text_table {
 public:
  /// Rows held at most.
  static constexpr std::size_t most_held = 1000;

  /// `right_aligned` says it for each column, and outlives the table.
  text_table(std::FILE* to, const std::vector<std::string>& columns, const bool* right_aligned);
  ~text_table();

  /// Adds the next cell of a row, which has one for each column.
  void add_cell(std::string cell);
  void end_row();

  /// Writes what is held. Later rows are written as they come, in the same widths.
  void show();

 private:
  void append_line(std::string& text, const std::vector<std::string>& cells) const;

  std::FILE* to_;
  std::vector<std::string> columns_, row_;
  const bool* right_aligned_;
  std::vector<std::vector<std::string>> held_;
  std::vector<std::size_t> widths_;
};

}  // namespace spillway::detail
