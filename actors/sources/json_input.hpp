#pragma once
#include "actors/source.hpp"
#include "actors/sources/byte_input.hpp"
#include "actors/sources/json_index.hpp"
#include "actors/sources/json_parser.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spillway::detail {

/// A piece of a file of JSON lines: the lines that begin in it.
struct json_piece {
  std::string path;
  std::uint64_t from = 0, to = 0;
  /// The file's bytes end at `to` or later; false for a pipe, which is read to its end.
  bool sized = false;
};
BOOST_DESCRIBE_STRUCT(json_piece, (), (path, from, to, sized))

/// Between two lines, or in one of which the rest is left out.
struct json_position {
  std::uint64_t offset = 0;
  /// Of the line there, from 1; 0 if it is not known.
  std::uint64_t line = 0;
  bool inside = false;
};
BOOST_DESCRIBE_STRUCT(json_position, (), (offset, line, inside))

struct json_limits {
  std::size_t max_record, chunk;
};

/// The pieces of a file, of about `bytes` bytes each; of a pipe one. Throws `data_error` if there is no such file.
std::vector<split> json_splits(const std::string& path, std::uint64_t bytes);

/// The records of a piece of a file on their way to rows.
class json_input {
 public:
  json_input(json_piece piece, json_shape row, json_limits limits, bad_row_port& bad);
  ~json_input();

  enum class got : std::uint8_t { row, end, pause };

  /// Stores the next record that is a row in `row`, whose content is lost in any case. With `pause` there was none for a while.
  got read(void* row);

  read_progress progress() const noexcept { return {offset() - std::min(offset(), piece_.from), size_}; }
  source_position position() const;
  void seek(const source_position& p);

 private:
  /// Bytes from the beginning of the file to the next line.
  std::uint64_t offset() const noexcept { return end_offset_ - static_cast<std::uint64_t>(end_ - next_); }
  std::size_t pending() const noexcept { return static_cast<std::size_t>(end_ - next_); }

  void start();
  enum class came : std::uint8_t { bytes, nothing, end };
  came fetch();
  came receive();
  came skip_rest_of_line();
  void index_lines(char* end);
  void drop_mark();
  enum class line : std::uint8_t { row, blank, bad };
  line take_line(void* row);
  line parse(const char* end, void* row);
  void refuse(json_fault fault);
  void refuse_long();
  std::string place();
  std::optional<std::uint64_t> line_number();

  json_piece piece_;
  json_limits limits_;
  bad_row_port& bad_;
  std::unique_ptr<byte_input> bytes_;
  std::optional<std::uint64_t> size_;
  json_parser parser_;
  json_index index_;

  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  /// The next line, the end of the lines that are whole, and the end of the bytes at hand.
  char* next_ = nullptr;
  char* lines_end_ = nullptr;
  char* end_ = nullptr;
  /// The bytes before `end_` in the file.
  std::uint64_t end_offset_ = 0;
  /// The next place of an index of all whole lines, and the bytes that it counts from; null if each line needs one of its own.
  const std::uint32_t* places_ = nullptr;
  const char* base_ = nullptr;
  /// Lines before the next one since the piece began, and the number of its first, if that is known.
  std::uint64_t lines_ = 0;
  std::optional<std::uint64_t> first_line_;
  bool started_ = false, ended_ = false;
  /// What comes up to the next line end is left out.
  bool inside_ = false;
};

}  // namespace spillway::detail
