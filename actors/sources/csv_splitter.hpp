#pragma once
// CSV without meaning: bytes in, the cells of one record after another out.
#include "messages/parse.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::detail {

/// A record that is too long, whose bytes are dropped as they come.
struct long_csv_record {
  std::string beginning;
  std::uint64_t line = 0, start = 0;
  /// Where the open quote is in the text, if one is.
  std::optional<std::uint64_t> quote;
  bool passed = false;
};

/// Splits CSV as RFC 4180 has it: a quoted cell may hold delimiters, line ends and doubled quotes, the last line need not end. A
/// byte order mark at the beginning of the text is dropped, all other bytes are kept.
///
/// A record ends at the first line feed with an even number of quotes before it, whatever else is wrong with it: so one that is
/// bad does not hide those behind it, and the text can be entered in the middle. Where a quote stays open to the end of the text,
/// or for longer than `max_record`, nothing can be said of what follows.
///
/// Bytes are copied once, into the splitter's buffer, and cells are views of it.
class csv_splitter {
 public:
  csv_splitter(char delimiter, std::size_t max_record);

  /// Forgets all bytes: those that come now begin at `offset` of the text, with `lines` line feeds before them.
  void start_at(std::uint64_t offset, std::uint64_t lines) noexcept;

  /// Room for `n` bytes of text, which are there once `added` says so. Cells are no longer valid.
  char* room(std::size_t n);
  void added(std::size_t n) noexcept;

  /// No bytes follow.
  void ended() noexcept { ended_ = true; }

  enum class found : std::uint8_t {
    record,
    /// A record that is no CSV, or too long; `fault` says why. Those behind it can be read.
    bad,
    /// As `bad`, but where the next record begins cannot be told.
    lost,
    needs_bytes,
    end,
  };

  /// Goes on to the next record. Cells of the one before are no longer valid.
  found next();

  /// Goes on behind the end of a record that began before the bytes that are there, to its first line feed outside of quotes.
  /// `quoted` says whether a quote is open. False if that needs more bytes.
  bool skip_to_record(bool& quoted);

  /// The cells of the record, valid until `next` or `room`. An empty line is one empty cell.
  std::span<const text_cell> cells() const noexcept { return {cells_.data(), count_}; }

  /// What is wrong with the record.
  struct fault_text {
    std::string reason, help;
  };
  const fault_text& fault() const noexcept { return fault_; }

  /// The record as it is in the text, without its line end; only its beginning if it is too long. Valid as cells are.
  std::string_view record() const noexcept;

  /// The line on which the record starts, from 1. Lines are counted when it is asked for.
  std::uint64_t line() noexcept;

  /// Bytes of text before the end of the record, and line feeds in them.
  std::uint64_t offset() const noexcept { return passing() ? long_->start : next_offset_; }
  std::uint64_t lines() noexcept { return passing() ? long_->line - 1 : lines_before(next_); }

  /// Bytes behind the record, so far.
  std::size_t pending() const noexcept { return static_cast<std::size_t>(end_ - next_); }

  /// False if the bytes that are there may have others than ASCII among them.
  bool ascii() const noexcept { return ascii_; }

 private:
  enum class step : std::uint8_t { record, needs_bytes, fault };

  /// Delimiters, quotes and parts of line ends, found 64 bytes at a time. The text may be read so far behind its end.
  struct special_bytes {
    char delimiter;
    /// Which of the 64 bytes from `block` on are special; bytes before `searched` have been looked at.
    char* block = nullptr;
    char* searched = nullptr;
    std::uint64_t mask = 0;
  };

  char* take_plain_cells(char*& at);
  step take_record(char*& at);
  step take_quoted(char*& at);
  step take_line_end(char*& at);
  step fault(std::string reason, const char* help);
  void add_cell(char* from, char* to, bool quoted);
  void undouble_cells();

  found next_unusual(char* at);
  found whole_record(char* at);
  found bad_record(const char* fault_at);
  found too_long(bool faulty);
  found go_on_in_long();
  found lost(std::string reason, const char* help);
  void advance(const char* to) noexcept;
  void ends_at(char* end) noexcept;
  bool drop_mark() noexcept;
  bool passing() const noexcept { return long_ && !long_->passed; }
  std::uint64_t lines_before(const char* at) noexcept;

  std::size_t max_record_;
  std::size_t capacity_ = 0;
  std::unique_ptr<char[]> buffer_;
  char* next_ = nullptr;
  char* end_ = nullptr;
  const char* record_ = nullptr;
  special_bytes specials_;

  std::vector<text_cell> cells_;
  std::size_t count_ = 0;
  /// Cells with doubled quotes, and their text without them.
  std::vector<std::size_t> doubled_;
  std::vector<char> undoubled_;
  fault_text fault_;
  std::optional<long_csv_record> long_;
  std::uint64_t next_offset_ = 0;
  /// Line feeds before `counted_`.
  std::uint64_t lines_ = 0;
  const char* counted_ = nullptr;
  /// The text begins here, or a long record goes on.
  bool unusual_ = true;
  bool ended_ = false, ascii_ = true;
};

}  // namespace spillway::detail
