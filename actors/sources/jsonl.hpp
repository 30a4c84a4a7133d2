#pragma once
#include "actors/made.hpp"
#include "actors/row_time.hpp"
#include "actors/source.hpp"
#include "actors/sources/json_input.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

template <record T>
class json_reader final : public source_reader<T> {
 public:
  json_reader(const json_options& options, const split& part, json_shape row, bad_row_port& bad)
      : input_(options, part, std::move(row), bad) {}

  read_result read(batch_of<T>& to) override {
    auto n = to.size();
    auto heap = to.heap();
    auto* rows = to.data();
    auto did = json_input::got::row;
    input_.begin();
    while (n < batch_of<T>::capacity && heap < max_batch_bytes && (did = input_.read(rows + n)) == json_input::got::row)
      heap += heap_bytes(rows[n++]);
    to.set_size(n, heap);
    return did == json_input::got::end ? read_result::end() : read_result::more();
  }

  read_progress progress() const override { return input_.progress(); }
  source_position position() const override { return input_.position(); }
  void seek(const source_position& p) override { input_.seek(p); }

 private:
  json_input input_;
};

}  // namespace detail

/// The rows of a file of JSON lines: one object in each line, read by the names of its fields; fields that no member has are
/// checked and left out. Members may be structs (objects), lists, and pairs and tuples (lists of so many values).
///
/// Nothing is converted or guessed: a text is a text, numbers must fit, times are ISO 8601 texts with an offset, durations counts
/// of their own unit, enums their names. A field that is null or not there is null for an optional, and else makes a bad row, as
/// do: a name that is there twice in an object, half of a surrogate pair, bytes that are not UTF-8, what is not one object, what
/// lies more than 256 deep, and a record above `max_record`. Blank lines and a byte order mark are skipped. Errors name file,
/// line, field, value and reason.
///
/// Large files are cut into pieces, so rows are in the order of their file only where one subtask reads them.
template <class T>
struct jsonl {
  static_assert(row_checked<T>);
  using row = T;
  static constexpr auto bounds = bounded;
  static constexpr auto verb = "jsonl";
  static constexpr bool blocking = true;

  /// A file; a folder, for the files in it, in order of their names, but those that are hidden or named *.part; or a pattern with
  /// `*`, `?` or `[..]`. Files named *.gz and *.zst are decompressed. A named pipe can be read, but not twice.
  std::string path;
  /// For fields that are not named like the members, or need a unit, a zone or a function: of a text what it says, of another
  /// value how it is written. A function is not called for null.
  spillway::columns<T> columns{};
  bad_rows bad{};
  row_time<T> time{};
  /// Bytes of one line.
  std::size_t max_record = 1024 * 1024;
  /// Bytes read at a time.
  std::size_t chunk = 256 * 1024;
  /// Bytes of the pieces that files are cut into, unless they are compressed.
  std::size_t split_bytes = 8 * 1024 * 1024;

  /// Throws `data_error` if there are no such files, `pipeline_error` for a mistake in `columns`.
  void check() const {
    (void)detail::json_row_shape(columns);
    (void)detail::json_splits(options());
  }

  std::string file() const { return path; }

  std::unique_ptr<split_list> splits(const source_context&) const { return detail::json_splits(options()); }

  std::unique_ptr<source_reader<T>> open(const split& part, const source_context& context) const {
    return detail::made<source_reader<T>, detail::json_reader<T>>(options(), part, detail::json_row_shape(columns), *context.bad);
  }

 private:
  detail::json_options options() const { return {path, max_record, chunk, split_bytes}; }
};

}  // namespace spillway
