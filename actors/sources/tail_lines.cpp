#include "actors/sources/tail_lines.hpp"

#include "actors/sources/byte_scan.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace spillway::detail {

void line_splitter::start_at(std::uint64_t offset, std::uint64_t lines) noexcept {
  next_ = end_ = buffer_.get();
  searched_ = 0;
  offset_ = offset;
  lines_ = lines;
  dropping_ = false;
}

char* line_splitter::room(std::size_t n) {
  const auto kept = pending();
  if (capacity_ < kept + n + padding) {
    capacity_ = kept + n + padding;
    auto larger = std::make_unique<char[]>(capacity_);
    if (kept > 0) std::memcpy(larger.get(), next_, kept);
    buffer_ = std::move(larger);
  } else if (kept > 0) {
    std::memmove(buffer_.get(), next_, kept);
  }
  next_ = buffer_.get();
  end_ = next_ + kept;
  line_ = {};
  return end_;
}

line_splitter::found line_splitter::next() {
  if (offset_ == 0 && !drop_mark()) return found::needs_bytes;
  for (;;) {
    if (next_ == end_) return found::needs_bytes;
    const auto* from = next_ + searched_;
    const auto* const feed = static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end_ - from)));
    const auto size = static_cast<std::size_t>((feed ? feed : end_) - next_);
    if (dropping_) {
      advance(size + (feed ? 1 : 0));
      dropping_ = feed == nullptr;
      continue;
    }
    line_ = {next_, size};
    if (feed && line_.ends_with('\r')) line_.remove_suffix(1);
    if (!feed && size <= max_line_ + 1) {
      searched_ = size;
      return found::needs_bytes;
    }
    number_ = ++lines_;
    dropped_from_ = offset_;
    dropping_ = feed == nullptr;
    advance(size + (feed ? 1 : 0));
    return line_.size() > max_line_ ? found::too_long : found::line;
  }
}

std::string_view line_splitter::rest() {
  if (dropping_) return {};
  number_ = lines_ + 1;
  const std::string_view text{next_, pending()};
  next_ = end_;
  return text;
}

/// False if that needs more bytes.
bool line_splitter::drop_mark() noexcept {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  const std::string_view text{next_, std::min(pending(), mark.size())};
  if (text != mark) return text.empty() || text != mark.substr(0, text.size());
  advance(mark.size());
  return true;
}

void line_splitter::advance(std::size_t n) noexcept {
  next_ += n;
  offset_ += n;
  searched_ = 0;
}

void line_stream::cut(std::string_view reason, std::string_view help) {
  const auto text = splitter_.rest();
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  refuse({}, shown(text), std::string{reason}, help);
}

void line_stream::refuse(std::string_view where, std::string text, std::string reason, std::string_view help) {
  ++refusals_;
  auto place = place_ + std::to_string(splitter_.number());
  place += where;
  bad_.refuse({{}, std::move(place), std::move(text), std::move(reason)}, help);
}

void line_stream::refuse_long() {
  refuse({}, shown(splitter_.line()), "is longer than " + std::to_string(splitter_.max_line()) + " bytes",
         "raise max_record if there are such lines");
}

namespace {

class text_stream final : public line_stream {
 public:
  text_stream(std::string place, std::size_t max_line, bad_row_port& bad) : line_stream(std::move(place), max_line, bad, true) {}

  did read(row_slots& to) override {
    return read_lines(to, [this](std::string_view line, void* row) {
      if (!is_utf8(line)) {
        refuse({}, shown(line), "is not UTF-8", "convert what writes it to UTF-8");
        return false;
      }
      static_cast<std::string*>(row)->assign(line);
      return true;
    });
  }
};

}  // namespace

std::unique_ptr<record_stream> text_records(std::string place, std::size_t max_line, bad_row_port& bad) {
  return std::make_unique<text_stream>(std::move(place), max_line, bad);
}

}  // namespace spillway::detail
