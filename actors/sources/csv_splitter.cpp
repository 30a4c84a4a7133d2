#include "actors/sources/csv_splitter.hpp"

#include "actors/sources/byte_scan.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace spillway::detail {
namespace {

/// Behind the bytes of text the buffer has so many more, zero, so that a search can look at them.
constexpr std::size_t padding = 64;

/// What is kept of a record that is too long.
constexpr std::size_t beginning_size = 1000;

constexpr auto close_quote = "a quote in a cell is doubled, and the cell ends with one more; nothing behind it can be read";

/// Which of the 64 bytes at `at` are delimiters, quotes, carriage returns or line feeds.
inline std::uint64_t special_among(const char* at, char delimiter) noexcept {
  std::uint64_t found = 0;
#ifdef __SSE2__
  const auto d = _mm_set1_epi8(delimiter), q = _mm_set1_epi8('"'), cr = _mm_set1_epi8('\r'), lf = _mm_set1_epi8('\n');
  for (auto i = 0; i < 64; i += 16) {
    const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i));
    const auto hits = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, d), _mm_cmpeq_epi8(bytes, lf)),
                                   _mm_or_si128(_mm_cmpeq_epi8(bytes, q), _mm_cmpeq_epi8(bytes, cr)));
    found |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(hits))} << i;
  }
#else
  for (auto i = 0; i < 64; ++i) {
    const auto c = at[i];
    found |= std::uint64_t{c == delimiter || c == '\n' || c == '"' || c == '\r'} << i;
  }
#endif
  return found;
}

/// The first quote from `at` on, or `end`.
char* find_quote(char* at, char* end) noexcept {
#ifdef __SSE2__
  const auto quote = _mm_set1_epi8('"');
  for (; at < end; at += 16) {
    const auto hits = _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), quote);
    if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits))) return at + std::countr_zero(mask);
  }
  return end;
#else
  return std::find(at, end, '"');
#endif
}

}  // namespace

csv_splitter::csv_splitter(char delimiter, std::size_t max_record) : max_record_(max_record), specials_{delimiter} {
  if (delimiter == '"' || delimiter == '\r' || delimiter == '\n')
    throw pipeline_error{"a quote or a line end cannot be the delimiter of CSV"};
  cells_.resize(16);
}

void csv_splitter::start_at(std::uint64_t offset, std::uint64_t lines) noexcept {
  next_ = buffer_.get();
  counted_ = next_;
  if (next_) ends_at(next_);
  next_offset_ = offset;
  lines_ = lines;
  long_.reset();
  ended_ = false;
  unusual_ = true;
}

char* csv_splitter::room(std::size_t n) {
  const auto kept = pending();
  (void)lines_before(next_);
  if (capacity_ < kept + n + padding) {
    capacity_ = kept + n + padding;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
    if (kept > 0) std::memcpy(larger.get(), next_, kept);
    buffer_ = std::move(larger);
  } else if (kept > 0) {
    std::memmove(buffer_.get(), next_, kept);
  }
  if (kept == 0) ascii_ = true;
  counted_ = next_ = buffer_.get();
  ends_at(next_ + kept);
  return end_;
}

void csv_splitter::added(std::size_t n) noexcept {
  ascii_ = ascii_ && is_ascii({end_, n});
  ends_at(end_ + n);
}

void csv_splitter::ends_at(char* end) noexcept {
  end_ = end;
  std::memset(end_, specials_.delimiter == 0 ? 1 : 0, padding);
  specials_.searched = specials_.block = next_;
  specials_.mask = 0;
}

inline void csv_splitter::add_cell(char* from, char* to, bool quoted) {
  if (count_ == cells_.size()) cells_.resize(count_ * 2);
  cells_[count_++] = {{from, static_cast<std::size_t>(to - from)}, quoted};
}

/// The usual cells, those without quotes before a delimiter. Gives where the cell behind them has its first special byte, or the
/// end of the bytes.
inline char* csv_splitter::take_plain_cells(char*& at) {
  // Copies, as all that is stored might change what it is told by.
  auto [delimiter, block, searched, mask] = specials_;
  auto* const end = end_;
  auto* const cells = cells_.data();
  const auto room = cells_.size();
  auto count = count_;
  auto* from = at;
  if (block <= from && from < searched)
    mask &= ~std::uint64_t{0} << (from - block);
  else
    searched = from, mask = 0;
  auto* stop = end;
  for (;; from = stop + 1) {
    while (mask == 0 && searched < end) {
      mask = special_among(searched, delimiter);
      block = searched;
      searched += 64;
    }
    stop = mask == 0 ? end : block + std::countr_zero(mask);
    if (mask == 0 || *stop != delimiter || count == room) break;
    mask &= mask - 1;
    cells[count++] = {{from, static_cast<std::size_t>(stop - from)}, false};
  }
  specials_ = {delimiter, block, searched, mask};
  count_ = count;
  at = from;
  return stop;
}

csv_splitter::found csv_splitter::next() {
  if (!unusual_) {
    count_ = 0;
    record_ = next_;
    auto* at = next_;
    auto* const stop = take_plain_cells(at);
    const auto size = static_cast<std::size_t>(stop - next_) + 1;
    if (stop == end_ || *stop != '\n' || size > max_record_) return next_unusual(at);
    add_cell(at, stop, false);
    next_ = stop + 1;
    next_offset_ += size;
    return found::record;
  }
  if (passing()) return go_on_in_long();
  long_.reset();
  if (next_offset_ == 0 && !drop_mark()) return found::needs_bytes;
  unusual_ = false;
  return next();
}

/// A record that is more than cells without quotes and a line feed, from its cell at `at` on.
csv_splitter::found csv_splitter::next_unusual(char* at) {
  if (next_ == end_) return ended_ ? found::end : found::needs_bytes;
  doubled_.clear();
  switch (take_record(at)) {
    case step::record:
      return whole_record(at);
    case step::fault:
      return bad_record(at);
    case step::needs_bytes:
      break;
  }
  if (pending() > max_record_) return too_long(false);
  return ended_ ? lost("has a quote that is never closed", close_quote) : found::needs_bytes;
}

bool csv_splitter::skip_to_record(bool& quoted) {
  const auto* const behind = record_end(next_, end_, quoted);
  advance(behind ? behind : end_);
  return behind != nullptr;
}

std::string_view csv_splitter::record() const noexcept {
  if (long_) return long_->beginning;
  // One that is lost does not end.
  const auto* const end = next_ == record_ ? end_ : next_;
  std::string_view text{record_, static_cast<std::size_t>(end - record_)};
  if (text.ends_with('\n')) text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
  return text;
}

std::uint64_t csv_splitter::line() noexcept { return long_ ? long_->line : lines_before(record_) + 1; }

std::uint64_t csv_splitter::lines_before(const char* at) noexcept {
  if (at < counted_) return lines_ - count_bytes({at, counted_}).newlines;
  lines_ += count_bytes({counted_, at}).newlines;
  counted_ = at;
  return lines_;
}

/// False if that needs more bytes.
bool csv_splitter::drop_mark() noexcept {
  if (pending() < 3) return ended_;
  if (std::memcmp(next_, "\xef\xbb\xbf", 3) == 0) advance(next_ + 3);
  return true;
}

void csv_splitter::advance(const char* to) noexcept {
  next_offset_ += static_cast<std::uint64_t>(to - next_);
  next_ += to - next_;
}

/// The cells of the record at `at`; where it ends, or what is wrong is.
csv_splitter::step csv_splitter::take_record(char*& at) {
  for (;;) {
    auto* const stop = take_plain_cells(at);
    const auto quote = stop < end_ && *stop == '"';
    if (quote && stop != at) {
      at = stop;
      return fault("has a quote in cell " + std::to_string(count_ + 1) + ", which does not begin with one",
                   "put the cell in quotes, and double those in it");
    }
    if (quote) {
      if (const auto did = take_quoted(at); did != step::record) return did;
    } else {
      if (stop == end_ && !ended_) return step::needs_bytes;
      add_cell(at, stop, false);
      at = stop;
    }
    if (at == end_) return ended_ ? step::record : step::needs_bytes;
    if (*at != specials_.delimiter) return take_line_end(at);
    ++at;
  }
}

/// A quoted cell, with `at` then behind its closing quote.
csv_splitter::step csv_splitter::take_quoted(char*& at) {
  auto* const begin = at + 1;
  auto doubled = false;
  auto* stop = begin;
  for (;; stop += 2) {
    stop = find_quote(stop, end_);
    if (stop == end_ || (stop + 1 == end_ && !ended_)) return step::needs_bytes;
    if (stop + 1 == end_ || stop[1] != '"') break;
    doubled = true;
  }
  if (doubled) doubled_.push_back(count_);
  add_cell(begin, stop, true);
  at = stop + 1;
  return step::record;
}

csv_splitter::step csv_splitter::take_line_end(char*& at) {
  if (*at == '\r') {
    if (at + 1 == end_ && !ended_) return step::needs_bytes;
    // The last byte of the text may be one of a line end.
    if (at + 1 != end_ && at[1] != '\n')
      return fault("has a carriage return that no line feed follows",
                   "end lines with LF or CRLF, and put cells that hold line ends in quotes");
    at += at + 1 == end_ ? 1 : 2;
    return step::record;
  }
  if (*at != '\n')
    return fault("goes on behind the closing quote of cell " + std::to_string(count_), "double the quotes in a quoted cell");
  ++at;
  return step::record;
}

csv_splitter::step csv_splitter::fault(std::string reason, const char* help) {
  fault_ = {std::move(reason), help};
  return step::fault;
}

/// Makes each doubled quote in cells one.
void csv_splitter::undouble_cells() {
  std::size_t size = 0;
  for (const auto i : doubled_) size += cells_[i].text.size();
  undoubled_.resize(std::max(size, undoubled_.size()));
  auto* out = undoubled_.data();
  for (const auto i : doubled_) {
    auto& text = cells_[i].text;
    auto* const begin = out;
    for (std::size_t k = 0; k < text.size(); ++k) {
      *out++ = text[k];
      if (text[k] == '"') ++k;
    }
    text = {begin, static_cast<std::size_t>(out - begin)};
  }
}

csv_splitter::found csv_splitter::whole_record(char* at) {
  if (static_cast<std::size_t>(at - next_) > max_record_) return too_long(false);
  if (!doubled_.empty()) undouble_cells();
  advance(at);
  return found::record;
}

csv_splitter::found csv_splitter::bad_record(const char* fault_at) {
  auto quoted = false;
  const auto* const behind = record_end(next_, end_, quoted);
  const auto size = behind ? static_cast<std::size_t>(behind - next_) : pending();
  if (size > max_record_) return too_long(static_cast<std::size_t>(fault_at - next_) < max_record_);
  if (!behind && !ended_) return found::needs_bytes;
  if (!behind && quoted) return found::lost;
  advance(behind ? behind : end_);
  return found::bad;
}

/// `faulty`: something else is wrong with its first `max_record` bytes, as `fault_` says.
csv_splitter::found csv_splitter::too_long(bool faulty) {
  const auto open = count_bytes({next_, max_record_}).quotes % 2 == 1;
  if (open && faulty) return found::lost;
  auto reason = "is longer than " + std::to_string(max_record_) + " bytes";
  if (open) return lost(reason + ", in quotes that are not closed so far", close_quote);
  unusual_ = true;
  long_.emplace();
  long_->beginning.assign(next_, std::min(beginning_size, max_record_));
  long_->line = lines_before(next_) + 1;
  long_->start = next_offset_;
  fault_ = {std::move(reason), "raise max_record if there are such records"};
  advance(next_ + max_record_);
  return go_on_in_long();
}

csv_splitter::found csv_splitter::go_on_in_long() {
  auto& quote = long_->quote;
  while (next_ < end_) {
    if (quote) {
      const auto* const close = find_quote(next_, end_);
      advance(close);
      if (next_offset_ - *quote > max_record_) return lost("has a quote that is not closed so far", close_quote);
      if (close == end_) break;
      quote.reset();
      advance(next_ + 1);
    } else {
      advance(find_quote_or_newline(next_, end_));
      if (next_ == end_) break;
      long_->passed = *next_ == '\n';
      if (!long_->passed) quote = next_offset_;
      advance(next_ + 1);
      if (long_->passed) return found::bad;
    }
  }
  if (!ended_) return found::needs_bytes;
  if (quote) return lost("has a quote that is never closed", close_quote);
  long_->passed = true;
  return found::bad;
}

csv_splitter::found csv_splitter::lost(std::string reason, const char* help) {
  fault_ = {std::move(reason), help};
  return found::lost;
}

}  // namespace spillway::detail
