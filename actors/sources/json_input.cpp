#include "actors/sources/json_input.hpp"

#include "actors/sources/input_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace spillway::detail {
namespace {

/// So much is read before a reader without a row comes back, and so many records are refused.
constexpr std::size_t most_bytes = 4 * 1024 * 1024, most_refused = 500;

/// Lines are counted from the beginning of the file if that is no more than so many bytes away.
constexpr std::uint64_t most_counted = 256 * 1024 * 1024;

json_fault no_json(json_index::found found) {
  switch (found) {
    case json_index::found::not_utf8:
      return {{}, {}, "the record is not UTF-8", "convert the file to UTF-8"};
    case json_index::found::control_character:
      return {{}, {}, "a text in the record holds a control character", R"(write it as an escape, \n or \u0000)"};
    case json_index::found::open_text:
      return {{}, {}, "the record has a text without an end", "close it with a quote; the file may have been cut off here"};
    default:
      return {{}, {}, "the record cannot be indexed", {}};
  }
}

}  // namespace

std::vector<split> json_splits(const std::string& path, std::uint64_t bytes) {
  const auto whole = [&](std::uint64_t size, bool sized) {
    return std::vector<split>{{path, saved::of(json_piece{path, 0, sized ? size : UINT64_MAX, sized}), std::nullopt}};
  };
  if (!check_input_file(path)) return whole(0, false);
  const auto size = input_file{path}.size().value_or(0);
  const auto pieces = bytes == 0 ? 1 : std::max<std::uint64_t>(1, (size + bytes / 2) / bytes);
  std::vector<split> all;
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const auto from = size / pieces * i, to = i + 1 == pieces ? size : size / pieces * (i + 1);
    all.push_back({path + ':' + std::to_string(from), saved::of(json_piece{path, from, to, true}), to - from});
  }
  return all;
}

json_input::json_input(json_piece piece, json_shape row, json_limits limits, bad_row_port& bad)
    : piece_(std::move(piece)), limits_(limits), bad_(bad), bytes_(open_bytes(piece_.path)), parser_(std::move(row)) {
  limits_.chunk = std::max<std::size_t>(limits_.chunk, 1);
  if (piece_.sized) size_ = piece_.to - piece_.from;
  if (piece_.from == 0) {
    first_line_ = 1;
  } else {
    // From the byte before on: if that ends a line, the first one here begins at once.
    end_offset_ = piece_.from - 1;
    inside_ = true;
  }
}

json_input::~json_input() = default;

void json_input::start() {
  started_ = true;
  if (end_offset_ > 0) bytes_->go_to(end_offset_);
}

source_position json_input::position() const { return saved::of(json_position{offset(), first_line_ ? *first_line_ + lines_ : 0, inside_}); }

void json_input::seek(const source_position& p) {
  const auto at = p.as<json_position>();
  end_offset_ = at.offset;
  inside_ = at.inside;
  lines_ = 0;
  first_line_.reset();
  if (at.line > 0) first_line_ = at.line;
}

json_input::got json_input::read(void* row) {
  if (!started_) start();
  const auto from = offset();
  for (std::size_t refused = 0; refused < most_refused && offset() - from < most_bytes;) {
    if (offset() >= piece_.to) return got::end;
    if (next_ == lines_end_) {
      const auto did = fetch();
      if (did == came::bytes) continue;
      return did == came::end ? got::end : got::pause;
    }
    const auto is = take_line(row);
    if (is == line::row) return got::row;
    if (is == line::bad) ++refused;
  }
  return got::pause;
}

json_input::line json_input::take_line(void* row) {
  const auto* found = static_cast<char*>(std::memchr(next_, '\n', static_cast<std::size_t>(lines_end_ - next_)));
  const auto* const end = found ? found : lines_end_;
  const auto is = parse(end, row);
  while (places_ && base_ + *places_ < end) ++places_;
  next_ += end - next_ + (found ? 1 : 0);
  ++lines_;
  return is;
}

json_input::line json_input::parse(const char* end, void* row) {
  const auto size = static_cast<std::size_t>(end - next_);
  if (size > limits_.max_record && size - (end[-1] == '\r' ? 1 : 0) > limits_.max_record) return refuse_long(), line::bad;
  if (!places_)
    if (const auto is = index_.build(next_, size); is != json_index::found::ok) return refuse(no_json(is)), line::bad;
  json_record record{places_ ? base_ : next_, places_ ? places_ : index_.places(), end};
  if (record.base + *record.places >= end) return line::blank;
  if (!parser_.parse(record, row)) return refuse(parser_.fault()), line::bad;
  if (places_) places_ = record.places;
  return line::row;
}

/// Reads up to the end of a line at least.
json_input::came json_input::fetch() {
  if (ended_) return came::end;
  if (inside_) return skip_rest_of_line();
  do {
    const auto kept = pending();
    const auto did = receive();
    if (did == came::nothing) return did;
    auto* const news = next_ + kept;
    if (offset() == 0) drop_mark();
    auto* const last = static_cast<char*>(memrchr(news, '\n', static_cast<std::size_t>(end_ - news)));
    if (did == came::end || last) {
      index_lines(last ? last + 1 : end_);
      return next_ != lines_end_ ? came::bytes : did;
    }
  } while (pending() <= limits_.max_record + 1);
  refuse_long();
  next_ = lines_end_ = end_;
  inside_ = true;
  return came::bytes;
}

/// Reads more bytes behind those that are pending, which move.
json_input::came json_input::receive() {
  const auto kept = pending();
  // At least as much again, so that a long line is not moved many times.
  const auto n = std::max(limits_.chunk, kept);
  if (capacity_ < kept + n + json_index::padding) {
    capacity_ = kept + n + json_index::padding;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
    if (kept > 0) std::memcpy(larger.get(), next_, kept);
    buffer_ = std::move(larger);
  } else if (kept > 0) {
    std::memmove(buffer_.get(), next_, kept);
  }
  next_ = lines_end_ = buffer_.get();
  end_ = next_ + kept;
  const auto got = bytes_->read(end_, n);
  end_ += got.value_or(0);
  end_offset_ += got.value_or(0);
  std::memset(end_, 0, json_index::padding);
  if (!got) return came::nothing;
  if (*got > 0) return came::bytes;
  ended_ = true;
  if (piece_.sized && end_offset_ < piece_.to)
    input_file::cannot_read(piece_.path,
                            "it has " + std::to_string(end_offset_) + " bytes, but had " + std::to_string(piece_.to) +
                                " when the job began to read it",
                            "give a file its name when it is whole, and write new ones beside it");
  return came::end;
}

json_input::came json_input::skip_rest_of_line() {
  next_ = lines_end_ = end_;
  const auto did = receive();
  if (did != came::bytes) return did;
  auto* const end = static_cast<char*>(std::memchr(next_, '\n', pending()));
  next_ = lines_end_ = end ? end + 1 : end_;
  if (!end) return did;
  inside_ = false;
  // Of a line before the piece the number is not known, and so it does not count.
  if (first_line_) ++lines_;
  if (auto* const last = static_cast<char*>(memrchr(next_, '\n', pending()))) index_lines(last + 1);
  return did;
}

void json_input::index_lines(char* end) {
  lines_end_ = end;
  base_ = next_;
  const auto found = index_.build(next_, static_cast<std::size_t>(end - next_));
  places_ = found == json_index::found::ok ? index_.places() : nullptr;
}

void json_input::drop_mark() {
  if (pending() >= 3 && std::memcmp(next_, "\xef\xbb\xbf", 3) == 0) {
    next_ += 3;
    lines_end_ = next_;
  }
}

void json_input::refuse_long() {
  refuse({{}, {}, "the record is longer than " + std::to_string(limits_.max_record) + " bytes",
          "raise max_record if there are such records"});
}

void json_input::refuse(json_fault fault) {
  auto where = place();
  if (!fault.field.empty()) {
    where += ", field '";
    append_visible(where, fault.field);
    where += '\'';
  }
  bad_.refuse({{}, std::move(where), std::move(fault.text), std::move(fault.reason)}, fault.help);
}

std::string json_input::place() {
  const auto line = line_number();
  return piece_.path + (line ? ':' + std::to_string(*line) : ", byte " + std::to_string(offset()));
}

std::optional<std::uint64_t> json_input::line_number() {
  if (!first_line_) {
    if (offset() > most_counted) return std::nullopt;
    const auto wanted = offset();
    const auto file = open_bytes(piece_.path);
    std::vector<char> bytes(limits_.chunk);
    std::uint64_t read = 0, before = 0;
    while (read < wanted) {
      const auto n = file->read(bytes.data(), std::min<std::uint64_t>(bytes.size(), wanted - read)).value_or(0);
      if (n == 0) return std::nullopt;
      before += static_cast<std::uint64_t>(std::count(bytes.data(), bytes.data() + n, '\n'));
      read += n;
    }
    first_line_ = before + 1 - lines_;
  }
  return *first_line_ + lines_;
}

}  // namespace spillway::detail
