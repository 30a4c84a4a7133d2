#pragma once
// CSV without meaning: bytes in, the cells of one record after another out.
#include "messages/parse.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::detail {

/// Splits CSV as RFC 4180 has it: lines end with LF or CRLF, the last one need not; a quoted cell may hold delimiters, line ends
/// and doubled quotes. A byte order mark at the beginning is dropped, all other bytes are kept.
///
/// Bytes are copied once, into the splitter's buffer, and cells are views of it. Errors: `data_error`, beginning with the name of
/// the input and the line on which the bad record starts.
class csv_splitter {
 public:
  csv_splitter(std::string name, char delimiter, std::size_t max_record);

  /// Room for `n` bytes of input, which are there once `added` says so. Cells are no longer valid.
  char* room(std::size_t n);
  void added(std::size_t n) noexcept;

  /// No bytes follow.
  void ended() noexcept { ended_ = true; }

  enum class found : std::uint8_t { record, needs_bytes, end };

  /// Goes on to the next record. Cells of the one before are no longer valid.
  found next();

  /// The cells of the record, valid until `next` or `room`. An empty line is one empty cell.
  std::span<const text_cell> cells() const noexcept { return cells_; }

  /// The line on which the record starts, from 1.
  std::uint64_t line() const noexcept { return line_; }

  /// Bytes of input before the end of the record.
  std::uint64_t offset() const noexcept { return offset_; }

  /// Bytes of input behind the record, so far.
  std::size_t pending() const noexcept { return static_cast<std::size_t>(end_ - next_); }

  [[noreturn]] void fail(std::string_view what, std::string_view help) const;

 private:
  enum class step : std::uint8_t { cell, record, needs_bytes };

  char* take_plain_cells(char* at);
  step take_cell(char*& at);
  step take_quoted(char*& at);
  step after_cell(char*& at);
  found needs_bytes() const;
  void drop_mark() noexcept;

  std::string name_;
  char delimiter_;
  std::size_t max_record_;
  std::size_t capacity_ = 0;
  std::unique_ptr<char[]> buffer_;
  char* next_ = nullptr;
  char* end_ = nullptr;
  std::vector<text_cell> cells_;
  std::vector<std::size_t> doubled_;
  std::uint64_t line_ = 0, lines_ = 1, offset_ = 0;
  bool ended_ = false;
  bool open_quote_ = false;
};

}  // namespace spillway::detail
