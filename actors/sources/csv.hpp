#pragma once
#include "actors/made.hpp"
#include "actors/row_time.hpp"
#include "actors/source.hpp"
#include "actors/sources/csv_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

struct csv_options {
  std::string path;
  char delimiter = ',';
  std::size_t max_record = 0, chunk = 0, split_bytes = 0;
};

/// The records of a part of a CSV file with a header, and their cells on the way to the members of rows.
class csv_input {
 public:
  /// Throws `data_error` if the file cannot be read or lacks a column. `bad` outlives it.
  csv_input(const csv_options& options, const split& part, std::span<const column_binding> columns, bad_row_port& bad);
  ~csv_input();

  /// To be called before rows are read one after another: how long that may take begins anew.
  void begin() noexcept;

  enum class got : std::uint8_t { row, end, pause };

  /// Stores the next row at `row`. A pause: no more rows should be read in this turn.
  got read(void* row);

  read_progress progress() const;
  source_position position() const;
  void seek(const source_position& p);

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

/// Throws `data_error` if there are no such files, or the first of them lacks a column.
void check_csv(const csv_options& options, std::span<const column_binding> columns);

std::unique_ptr<split_list> csv_splits(const csv_options& options);

template <record T>
class csv_reader final : public source_reader<T> {
 public:
  csv_reader(const csv_options& options, const split& part, std::span<const column_binding> columns, bad_row_port& bad)
      : input_(options, part, columns, bad) {}

  read_result read(batch_of<T>& to) override {
    auto n = to.size();
    auto heap = to.heap();
    auto* rows = to.data();
    auto got = csv_input::got::row;
    input_.begin();
    while (n < batch_of<T>::capacity && heap < max_batch_bytes && (got = input_.read(rows + n)) == csv_input::got::row)
      heap += heap_bytes(rows[n++]);
    to.set_size(n, heap);
    return got == csv_input::got::end ? read_result::end() : read_result::more();
  }

  read_progress progress() const override { return input_.progress(); }
  source_position position() const override { return input_.position(); }
  void seek(const source_position& p) override { input_.seek(p); }

 private:
  csv_input input_;
};

}  // namespace detail

/// The rows of CSV files, as RFC 4180 has it, whose first line names the columns; columns beyond the row's members are ignored.
/// A cell is read as `parse_text` says, an empty one without quotes as null where the member is an optional. Empty lines are
/// skipped, unless there is only one column. Anything else is a bad row: docs/bad-rows.md has them all.
///
/// Large files are cut into pieces, so rows are in the order of their file only where one subtask reads them.
template <class T>
struct csv {
  static_assert(row_checked<T>);
  using row = T;
  static constexpr auto bounds = bounded;
  static constexpr auto verb = "csv";
  static constexpr bool blocking = true;

  /// A file; a folder, for the files in it, in order of their names, but those that are hidden or named *.part; or a pattern with
  /// `*`, `?` or `[..]`. Files named *.gz and *.zst are decompressed. A named pipe can be read, but not twice.
  std::string path;
  /// For columns that are not named like the members, or need a unit, a zone or a function of their text.
  spillway::columns<T> columns{};
  char delimiter = ',';
  bad_rows bad{};
  row_time<T> time{};
  /// Bytes; bounds what a stray quote can swallow.
  std::size_t max_record = 1024 * 1024;
  /// Bytes read at a time.
  std::size_t chunk = 256 * 1024;
  /// Bytes of the pieces that files are cut into, unless they are compressed.
  std::size_t split_bytes = 8 * 1024 * 1024;

  /// Throws `data_error` if there are no such files, or the first of them lacks a column.
  void check() const { detail::check_csv(options(), columns.bindings()); }

  std::string file() const { return path; }

  std::unique_ptr<split_list> splits(const source_context&) const { return detail::csv_splits(options()); }

  std::unique_ptr<source_reader<T>> open(const split& part, const source_context& context) const {
    return detail::made<source_reader<T>, detail::csv_reader<T>>(options(), part, columns.bindings(), *context.bad);
  }

 private:
  detail::csv_options options() const { return {path, delimiter, max_record, chunk > 0 ? chunk : 1, split_bytes}; }
};

}  // namespace spillway
