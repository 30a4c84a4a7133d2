#include "actors/sources/csv_splitter.hpp"

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

/// Behind the bytes of input the buffer has so many more, zero, so that a search for the end of a cell can look at them.
constexpr std::size_t padding = 16;

/// The first of delimiter, quote, CR and LF from `at` on, or `end`.
char* end_of_plain(char* at, char* end, char delimiter) noexcept {
#ifdef __SSE2__
  const auto wanted = [](char c) { return _mm_set1_epi8(c); };
  const auto d = wanted(delimiter), q = wanted('"'), cr = wanted('\r'), lf = wanted('\n');
  for (; at < end; at += 16) {
    const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto hits = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, d), _mm_cmpeq_epi8(bytes, lf)),
                                   _mm_or_si128(_mm_cmpeq_epi8(bytes, q), _mm_cmpeq_epi8(bytes, cr)));
    if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits))) return std::min(end, at + std::countr_zero(mask));
  }
  return end;
#else
  while (at < end && *at != delimiter && *at != '\n' && *at != '"' && *at != '\r') ++at;
  return at;
#endif
}

/// Makes each doubled quote in the text one, in place.
std::string_view undouble(std::string_view text) noexcept {
  auto* const begin = const_cast<char*>(text.data());
  auto* out = begin;
  for (std::size_t i = 0; i < text.size(); ++i) {
    *out++ = text[i];
    if (text[i] == '"') ++i;
  }
  return {begin, out};
}

}  // namespace

csv_splitter::csv_splitter(std::string name, char delimiter, std::size_t max_record)
    : name_(std::move(name)), delimiter_(delimiter), max_record_(max_record) {
  if (delimiter == '"' || delimiter == '\r' || delimiter == '\n')
    throw pipeline_error{"a quote or a line end cannot be the delimiter of '" + name_ + '\''};
}

char* csv_splitter::room(std::size_t n) {
  const auto kept = pending();
  if (capacity_ < kept + n + padding) {
    capacity_ = kept + n + padding;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
    if (kept > 0) std::memcpy(larger.get(), next_, kept);
    buffer_ = std::move(larger);
  } else if (kept > 0) {
    std::memmove(buffer_.get(), next_, kept);
  }
  next_ = buffer_.get();
  end_ = next_ + kept;
  return end_;
}

void csv_splitter::added(std::size_t n) noexcept {
  end_ += n;
  std::memset(end_, 0, padding);
}

csv_splitter::found csv_splitter::next() {
  if (offset_ == 0) {
    if (pending() < 3 && !ended_) return found::needs_bytes;
    drop_mark();
  }
  cells_.clear();
  doubled_.clear();
  line_ = lines_;
  open_quote_ = false;
  if (next_ == end_) return ended_ ? found::end : found::needs_bytes;
  auto* at = next_;
  auto did = step::cell;
  while (did == step::cell) {
    at = take_plain_cells(at);
    did = take_cell(at);
  }
  if (did == step::needs_bytes) {
    lines_ = line_;
    return needs_bytes();
  }
  const auto size = static_cast<std::size_t>(at - next_);
  if (size > max_record_) (void)needs_bytes();
  for (auto i : doubled_) cells_[i].text = undouble(cells_[i].text);
  next_ = at;
  offset_ += size;
  ++lines_;
  return found::record;
}

void csv_splitter::drop_mark() noexcept {
  if (pending() < 3 || std::memcmp(next_, "\xef\xbb\xbf", 3) != 0) return;
  next_ += 3;
  offset_ = 3;
}

csv_splitter::found csv_splitter::needs_bytes() const {
  constexpr auto close = "a quote in a cell is doubled, and the cell ends with one more";
  if (ended_ && open_quote_) fail("the record that starts here has a quote that is never closed", close);
  if (pending() > max_record_)
    fail("the record that starts here is longer than " + std::to_string(max_record_) + " bytes" +
             (open_quote_ ? ", in quotes that are not closed so far" : ""),
         open_quote_ ? close : "raise max_record if there are such records");
  return found::needs_bytes;
}

/// The usual cells, those without quotes before a delimiter; the rest is for `take_cell`.
char* csv_splitter::take_plain_cells(char* at) {
  const auto delimiter = delimiter_;
  auto* const end = end_;
  for (;;) {
    auto* stop = end_of_plain(at, end, delimiter);
    if (stop == end || *stop != delimiter) return at;
    cells_.push_back({{at, stop}, false});
    at = stop + 1;
  }
}

csv_splitter::step csv_splitter::take_cell(char*& at) {
  if (at < end_ && *at == '"') return take_quoted(at);
  auto* stop = end_of_plain(at, end_, delimiter_);
  if (stop < end_ && *stop == '"')
    fail("cell " + std::to_string(cells_.size() + 1) + " has a quote in it but does not begin with one",
         "put the cell in quotes, and double those in it");
  cells_.push_back({{at, stop}, false});
  at = stop;
  return after_cell(at);
}

csv_splitter::step csv_splitter::take_quoted(char*& at) {
  auto* const begin = at + 1;
  auto doubled = false;
  open_quote_ = true;
  auto* stop = begin;
  for (;; stop += 2) {
    stop = static_cast<char*>(std::memchr(stop, '"', static_cast<std::size_t>(end_ - stop)));
    if (!stop) return step::needs_bytes;
    if (stop + 1 == end_ && !ended_) return step::needs_bytes;
    if (stop + 1 == end_ || stop[1] != '"') break;
    doubled = true;
  }
  open_quote_ = false;
  cells_.push_back({{begin, stop}, true});
  at = stop + 1;
  lines_ += static_cast<std::uint64_t>(std::count(begin, stop, '\n'));
  if (doubled) doubled_.push_back(cells_.size() - 1);
  return after_cell(at);
}

csv_splitter::step csv_splitter::after_cell(char*& at) {
  if (at == end_) return ended_ ? step::record : step::needs_bytes;
  if (*at == delimiter_) {
    ++at;
    return step::cell;
  }
  if (*at == '\n') {
    ++at;
    return step::record;
  }
  if (*at == '\r') {
    if (at + 1 == end_) {
      if (!ended_) return step::needs_bytes;
      ++at;
      return step::record;
    }
    if (at[1] == '\n') {
      at += 2;
      return step::record;
    }
    fail("a carriage return stands alone", "end lines with LF or CRLF, and put cells that hold line ends in quotes");
  }
  fail("cell " + std::to_string(cells_.size()) + " goes on behind its closing quote", "double the quotes in a quoted cell");
}

void csv_splitter::fail(std::string_view what, std::string_view help) const {
  throw data_error{name_ + ':' + std::to_string(line_) + ": " + std::string{what} + "\n  help: " + std::string{help}};
}

}  // namespace spillway::detail
