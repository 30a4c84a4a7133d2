#pragma once
#include "actors/made.hpp"
#include "actors/row_time.hpp"
#include "actors/source.hpp"
#include "actors/sources/input_file.hpp"
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
  json_reader(json_piece piece, json_shape row, json_limits limits, bad_row_port& bad)
      : input_(std::move(piece), std::move(row), limits, bad) {}

  read_result read(batch_of<T>& to) override {
    auto n = to.size();
    auto heap = to.heap();
    auto* rows = to.data();
    auto did = json_input::got::row;
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
template <class T>
struct jsonl {
  static_assert(row_checked<T>);
  using row = T;
  static constexpr auto bounds = bounded;
  static constexpr auto verb = "jsonl";
  static constexpr bool blocking = true;

  std::string path;
  /// For fields that are not named like the members, or need a function: of a text what it says, of another value how it is
  /// written. It is not called for null.
  spillway::columns<T> columns{};
  bad_rows bad{};
  row_time<T> time{};
  /// Bytes of one line.
  std::size_t max_record = 1024 * 1024;
  /// The file is read in pieces of about so many bytes, by as many subtasks as there are; 0: in one.
  std::uint64_t split_bytes = 64 * 1024 * 1024;
  /// Bytes read at a time.
  std::size_t chunk = 256 * 1024;

  /// Throws `data_error` if the file is not there, `pipeline_error` for a mistake in `columns`.
  void check() const {
    (void)detail::json_row_shape(columns);
    (void)detail::check_input_file(path);
  }

  std::vector<split> splits(const source_context&) const { return detail::json_splits(path, split_bytes); }

  std::unique_ptr<source_reader<T>> open(const split& s, const source_context& context) const {
    return detail::made<source_reader<T>, detail::json_reader<T>>(s.data.as<detail::json_piece>(), detail::json_row_shape(columns),
                                                                  detail::json_limits{max_record, chunk}, *context.bad);
  }
};

}  // namespace spillway
