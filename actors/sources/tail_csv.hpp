#pragma once
#include "actors/sources/csv_columns.hpp"
#include "actors/sources/tail_records.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace spillway::detail {

struct csv_record_options {
  /// What stands before the number of a line: `live.csv:`.
  std::string place;
  char delimiter = ',';
  std::size_t max_record = 1024 * 1024;
  /// The first record names the columns. Otherwise `names` does, and if it is empty, they are those of the members in order.
  bool header = true;
  std::vector<std::string> names{};
};

/// Rows of CSV records. Throws `pipeline_error` for a delimiter that cannot be one, `data_error` if a column is missing.
std::unique_ptr<record_stream> csv_records(csv_record_options options, std::vector<column_binding> columns, bad_row_port& bad);

}  // namespace spillway::detail
