#pragma once
#include "actors/sources/csv_columns.hpp"
#include "actors/sources/csv_splitter.hpp"
#include "messages/bad_rows.hpp"

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::detail {

/// Records of CSV on their way to rows: which cell goes to which member. What is no row is refused.
class csv_rows {
 public:
  struct words {
    /// What stands before the number of a line: `live.csv:`.
    std::string place;
    /// What to do about a wrong cell: `correct the file`.
    std::string correct = "correct the file";
    /// What stands before the number of cells that there should be.
    std::string wanted = "but the header has ";
  };

  /// `bad` outlives it.
  csv_rows(std::vector<column_binding> columns, bad_row_port& bad, words with);

  /// The names of the columns, in the order of the cells. Throws `data_error` naming `source` if a column that is wanted is not
  /// there once.
  void set_header(const std::string& source, std::vector<std::string> names);
  void forget_header() noexcept { header_.clear(); }
  bool has_header() const noexcept { return !header_.empty(); }

  /// Stores the record at which `from` stands in the row at `row`. False: an empty line, or it was refused.
  bool store(csv_splitter& from, char* row);

  void refuse(csv_splitter& from, std::string_view reason, std::string_view help);

  /// The record at which `from` stands, as it is refused.
  bad_row as_bad(csv_splitter& from, std::string_view reason) const;

  /// How many were refused since `begin_turn`.
  std::size_t refused() const noexcept { return refused_; }
  void begin_turn() noexcept { refused_ = 0; }

 private:
  struct setter {
    std::size_t cell, at;
    cell_reader reader;
    std::shared_ptr<const void> state;
  };

  bool has_all_cells(csv_splitter& from);
  void refuse_cell(csv_splitter& from, std::size_t cell, std::string reason, std::string_view help);
  void refuse_value(csv_splitter& from, std::size_t cell, std::string_view is_wrong);

  std::vector<column_binding> columns_;
  bad_row_port& bad_;
  words words_;
  std::vector<std::string> header_;
  std::vector<setter> setters_;
  std::size_t refused_ = 0;
};

/// True for an empty line, which is one empty cell.
bool is_empty_line(const csv_splitter& from) noexcept;

}  // namespace spillway::detail
