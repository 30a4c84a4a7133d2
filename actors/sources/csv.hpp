#pragma once
#include "actors/made.hpp"
#include "actors/source.hpp"
#include "actors/sources/csv_columns.hpp"
#include "actors/sources/csv_splitter.hpp"
#include "actors/sources/input_file.hpp"

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

struct csv_options {
  std::string path;
  char delimiter = ',';
  std::size_t max_record = 0, chunk = 0;
};

/// The records of a CSV file with a header, and their cells on the way to the members of rows.
class csv_input {
 public:
  /// Throws `data_error` if the file is not there or lacks a column.
  csv_input(csv_options options, std::span<const column_binding> columns);
  ~csv_input();

  /// Stores the next record, which has as many cells as the header, in the row at `row`. False at the end.
  bool read(void* row);

  read_progress progress() const;

 private:
  struct setter;

  bool advance();
  bool next();
  void store(char* row);
  [[noreturn]] void refuse(std::size_t cell, std::string_view is_wrong) const;
  [[noreturn]] void refuse(std::size_t cell, const std::exception& why) const;

  input_file file_;
  csv_splitter splitter_;
  std::size_t chunk_;
  std::vector<std::string> header_;
  std::vector<setter> setters_;
};

/// Throws `data_error` if the file is not there or lacks a column.
void check_csv(const csv_options& options, std::span<const column_binding> columns);

template <record T>
class csv_reader final : public source_reader<T> {
 public:
  csv_reader(csv_options options, std::span<const column_binding> columns) : input_(std::move(options), columns) {}

  read_result read(batch_of<T>& to) override {
    auto n = to.size();
    auto heap = to.heap();
    auto* rows = to.data();
    auto more = true;
    while (n < batch_of<T>::capacity && heap < max_batch_bytes && (more = input_.read(rows + n))) heap += heap_bytes(rows[n++]);
    to.set_size(n, heap);
    return more ? read_result::more() : read_result::end();
  }

  read_progress progress() const override { return input_.progress(); }

 private:
  csv_input input_;
};

}  // namespace detail

/// The rows of a CSV file, as RFC 4180 has it, whose first line names the columns; columns beyond the row's members are ignored.
/// A cell is read as `parse_text` says, an empty one without quotes as null where the member is an optional. Empty lines are
/// skipped, unless there is only one column. Anything else is an error naming file, line, column and reason.
template <class T>
struct csv {
  static_assert(row_checked<T>);
  using row = T;
  static constexpr auto bounds = bounded;
  static constexpr auto verb = "csv";
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;

  std::string path;
  /// For columns that are not named like the members, or need a function of their text.
  spillway::columns<T> columns{};
  char delimiter = ',';
  /// Bytes; bounds what a stray quote can swallow.
  std::size_t max_record = 1024 * 1024;
  /// Bytes read at a time.
  std::size_t chunk = 256 * 1024;

  /// Throws `data_error` if the file is not there or lacks a column.
  void check() const { detail::check_csv(options(), columns.bindings()); }

  std::unique_ptr<source_reader<T>> open(const source_context&) const {
    return detail::made<source_reader<T>, detail::csv_reader<T>>(options(), columns.bindings());
  }

 private:
  detail::csv_options options() const { return {path, delimiter, max_record, chunk}; }
};

}  // namespace spillway
