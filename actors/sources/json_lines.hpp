#pragma once
#include "actors/sources/byte_input.hpp"
#include "actors/sources/json_index.hpp"
#include "actors/sources/json_parser.hpp"
#include "actors/sources/json_pieces.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace spillway::detail {

/// Between two lines, or in one of which the rest is left out.
struct json_position {
  std::uint64_t offset = 0;
  /// Of the line there, from 1; 0 if it is not known.
  std::uint64_t line = 0;
  bool inside = false;
};
BOOST_DESCRIBE_STRUCT(json_position, (), (offset, line, inside))

/// The lines of a piece of a file, and indexes of them: of many at once where all of them are in order, otherwise of each.
class json_lines {
 public:
  /// Throws `data_error` if the file cannot be read.
  json_lines(json_piece piece, std::size_t max_record, std::size_t chunk);

  enum class found : std::uint8_t {
    line,
    /// As `line`, but without an index: `index_fault` says why.
    bad,
    /// The line is longer than `max_record`; of it there may be only the beginning.
    too_long,
    needs_bytes,
    end,
  };

  /// Goes on to the next line.
  found next();

  /// The line, valid until `receive`. Whoever moves its `places` to its end saves the search for it.
  json_record& record() noexcept { return record_; }
  std::string_view text() const noexcept { return {line_, record_.end}; }
  json_index::found index_fault() const noexcept { return fault_; }
  bool blank() const noexcept { return record_.base + *record_.places >= record_.end; }

  /// Reads more bytes, and says how many; null if none came in time.
  std::optional<std::size_t> receive();

  /// Its number, from 1; null if it is far from the beginning of the file, and those before it were not read.
  std::optional<std::uint64_t> number();
  /// Where it begins.
  std::uint64_t offset_of_line() const noexcept { return offset_of(line_); }
  /// Behind it.
  std::uint64_t offset() const noexcept { return offset_of(next_); }

  const json_piece& piece() const noexcept { return piece_; }
  std::uint64_t bytes_taken() const { return bytes_->bytes_taken(); }
  bool can_go() const { return bytes_->can_go(); }
  json_position position() const noexcept { return {offset(), first_number_ ? *first_number_ + lines_ : 0, inside_}; }
  void go_to(const json_position& p);

 private:
  std::uint64_t offset_of(const char* at) const noexcept { return end_offset_ - static_cast<std::uint64_t>(end_ - at); }
  std::size_t pending() const noexcept { return static_cast<std::size_t>(end_ - next_); }
  void skip_rest_of_line();
  void drop_mark() noexcept;
  void index_lines();

  json_piece piece_;
  std::size_t max_record_, chunk_;
  std::unique_ptr<byte_input> bytes_;
  json_index index_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  /// The line, what follows it, where the lines end that are whole, and the bytes at hand.
  const char* line_ = nullptr;
  char* next_ = nullptr;
  char* lines_end_ = nullptr;
  char* end_ = nullptr;
  /// Bytes of the file before `end_`.
  std::uint64_t end_offset_ = 0;
  json_record record_{};
  json_index::found fault_{};
  /// The index is one of all lines up to `lines_end_`.
  bool indexed_ = false;
  bool ended_ = false;
  /// What comes up to the next line end is left out.
  bool inside_ = false;
  /// Lines before the next one since the number of the first is counted.
  std::uint64_t lines_ = 0;
  std::optional<std::uint64_t> first_number_;
};

}  // namespace spillway::detail
