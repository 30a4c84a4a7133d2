#pragma once
#include "actors/sources/shown_text.hpp"
#include "actors/sources/tail_records.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace spillway::detail {

/// Lines of a text that comes piece by piece; they end with LF or CRLF. A byte order mark at the beginning is dropped.
class line_splitter {
 public:
  /// So many bytes behind a line may be read, and are anything.
  static constexpr std::size_t padding = 64;

  explicit line_splitter(std::size_t max_line) : max_line_(max_line) {}

  void start_at(std::uint64_t offset, std::uint64_t lines) noexcept;

  char* room(std::size_t n);
  void added(std::size_t n) noexcept { end_ += n; }

  /// A line above the maximum is told once, when it is, and the rest of it is dropped as it comes.
  enum class found : std::uint8_t { line, too_long, needs_bytes };
  found next();

  /// The line without its end, its beginning if it is too long; valid until `room`.
  std::string_view line() const noexcept { return line_; }
  /// Its number, from 1.
  std::uint64_t number() const noexcept { return number_; }
  std::size_t max_line() const noexcept { return max_line_; }

  /// What came of a line whose end did not come; no more is found then. Empty if there is none.
  std::string_view rest();

  /// Where the next line begins, also while one that is too long is dropped: then that one does.
  std::uint64_t offset() const noexcept { return dropping_ ? dropped_from_ : offset_; }
  std::uint64_t lines() const noexcept { return dropping_ ? lines_ - 1 : lines_; }
  std::size_t pending() const noexcept { return static_cast<std::size_t>(end_ - next_); }

 private:
  bool drop_mark() noexcept;
  void advance(std::size_t n) noexcept;

  std::size_t max_line_, capacity_ = 0;
  std::unique_ptr<char[]> buffer_;
  char* next_ = nullptr;
  char* end_ = nullptr;
  /// Bytes behind `next_` that are known to hold no line end.
  std::size_t searched_ = 0;
  std::string_view line_;
  std::uint64_t number_ = 0, lines_ = 0, offset_ = 0, dropped_from_ = 0;
  bool dropping_ = false;
};

/// A record stream of lines: what becomes of a line is for derived classes to say.
class line_stream : public record_stream {
 public:
  /// `in_quotes`: lines are shown in quotes.
  line_stream(std::string place, std::size_t max_line, bad_row_port& bad, bool in_quotes)
      : place_(std::move(place)), splitter_(max_line), bad_(bad), in_quotes_(in_quotes) {}

  char* room(std::size_t n) override { return splitter_.room(n); }
  void added(std::size_t n) override { splitter_.added(n); }
  fault_text fault() override { return {}; }
  void cut(std::string_view reason, std::string_view help) override;
  void start_at(std::uint64_t offset, std::uint64_t lines) override { splitter_.start_at(offset, lines); }
  void skip_before(std::uint64_t offset) override { first_ = offset; }
  std::uint64_t offset() const override { return splitter_.offset(); }
  std::uint64_t lines() override { return splitter_.lines(); }
  std::size_t pending() const override { return splitter_.pending(); }

 protected:
  /// Goes through lines until there is no room for rows or no line, with `take(line, row)` that says whether it is a row now.
  template <class Take>
  did read_lines(row_slots& to, Take take) {
    refusals_ = 0;
    while (!to.full() && refusals_ < refusals_a_turn) {
      const auto begin = splitter_.offset();
      const auto found = splitter_.next();
      if (found == line_splitter::found::needs_bytes) return did::needs_bytes;
      if (begin < first_) continue;
      if (found == line_splitter::found::too_long)
        refuse_long();
      else if (take(splitter_.line(), to.next))
        to.took();
    }
    return did::more;
  }

  std::string shown(std::string_view line) const { return shown_text(line, in_quotes_); }

  /// `where` as in `, field 'id'`.
  void refuse(std::string_view where, std::string text, std::string reason, std::string_view help);

 private:
  void refuse_long();

  std::string place_;
  line_splitter splitter_;
  bad_row_port& bad_;
  bool in_quotes_;
  std::uint64_t first_ = 0;
  std::size_t refusals_ = 0;
};

/// Lines as rows of type `std::string`.
std::unique_ptr<record_stream> text_records(std::string place, std::size_t max_line, bad_row_port& bad);

}  // namespace spillway::detail
