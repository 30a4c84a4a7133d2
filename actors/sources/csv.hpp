#pragma once
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

/// The records of a CSV file with a header.
class csv_input {
 public:
  explicit csv_input(csv_options options);

  const std::vector<std::string>& header() const noexcept { return header_; }

  /// Goes on to the next record, which has as many cells as the header. False at the end.
  bool next();

  std::span<const text_cell> cells() const noexcept { return splitter_.cells(); }
  read_progress progress() const { return {splitter_.offset(), file_.size()}; }

  /// The cell of that number `is_wrong`, a reason as `parse_text` gives it.
  [[noreturn]] void refuse(std::size_t cell, std::string_view is_wrong) const;
  /// A user's function threw for the cell of that number.
  [[noreturn]] void refuse(std::size_t cell, const std::exception& why) const;

 private:
  bool advance();

  input_file file_;
  csv_splitter splitter_;
  std::size_t chunk_;
  std::vector<std::string> header_;
};

template <record T>
class csv_reader final : public source_reader<T> {
 public:
  csv_reader(csv_options options, const columns<T>& columns) : input_(options) {
    std::vector<wanted_column> wanted;
    const auto bindings = columns.bindings();
    for (const auto& b : bindings) wanted.push_back({b.column, b.member});
    const auto places = find_columns(options.path, input_.header(), wanted);
    for (std::size_t i = 0; i < bindings.size(); ++i) setters_.push_back({places[i], bindings[i].set});
  }

  read_result read(batch_of<T>& to) override {
    auto n = to.size();
    auto heap = to.heap();
    auto more = true;
    while (n < batch_of<T>::capacity && heap < max_batch_bytes && (more = input_.next())) {
      auto& row = to.data()[n++];
      store(row);
      heap += heap_bytes(row);
    }
    to.set_size(n);
    return more ? read_result::more() : read_result::end();
  }

  read_progress progress() const override { return input_.progress(); }

 private:
  struct setter {
    std::size_t cell;
    cell_setter<T> set;
  };

  void store(T& row) {
    const auto cells = input_.cells();
    std::size_t at = 0;
    std::string_view reason;
    try {
      for (const auto& [cell, set] : setters_) {
        at = cell;
        reason = set.store(set.state.get(), cells[cell], row);
        if (!reason.empty()) break;
      }
    } catch (const std::exception& e) {
      input_.refuse(at, e);
    }
    if (!reason.empty()) input_.refuse(at, reason);
  }

  csv_input input_;
  std::vector<setter> setters_;
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
  void check() const {
    if (detail::check_input_file(path)) (void)detail::csv_reader<T>{options(), columns};
  }

  std::unique_ptr<source_reader<T>> open(const source_context&) const {
    return std::make_unique<detail::csv_reader<T>>(options(), columns);
  }

 private:
  detail::csv_options options() const { return {path, delimiter, max_record, chunk}; }
};

}  // namespace spillway
