#include "actors/sources/csv.hpp"

#include "actors/sources/byte_input.hpp"
#include "actors/sources/csv_rows.hpp"
#include "actors/sources/file_pieces.hpp"

#include <algorithm>
#include <optional>

namespace spillway::detail {
namespace {

/// How much a reader does before it comes back to its thread.
constexpr std::uint64_t bytes_a_turn = 8 * 1024 * 1024;
constexpr std::size_t refusals_a_turn = 1000;

/// Where little is needed: a header, the rest of a piece's last record.
constexpr std::size_t small_chunk = 16 * 1024;

/// Where a reader is: at the beginning of a record.
struct csv_position {
  std::uint64_t offset = 0;
  std::uint64_t lines = 0;
};
BOOST_DESCRIBE_STRUCT(csv_position, (), (offset, lines))

[[noreturn]] void is_empty(const std::string& path) {
  input_file::cannot_read(path, "it is empty", "the first line of a CSV file names its columns");
}

}  // namespace

struct csv_input::parts {
  parts(const csv_options& o, const file_piece& p, std::span<const column_binding> c, bad_row_port& b)
      : options(o),
        piece(p),
        splitter(o.delimiter, o.max_record),
        rows({c.begin(), c.end()}, b, {p.path + ':'}),
        input(open_bytes(p.path)) {
    if (input->inode() != piece.inode) was_replaced(piece.path);
  }

  bool read_header(std::size_t chunk);
  void go_to_rows();
  got read(void* row);
  csv_splitter::found next_record(std::size_t chunk);
  bool refill(std::size_t chunk);
  [[noreturn]] void lost();

  csv_options options;
  file_piece piece;
  csv_splitter splitter;
  csv_rows rows;
  std::unique_ptr<byte_input> input;
  /// Of this turn.
  std::uint64_t bytes = 0;
};

/// False if not all of its bytes came in time.
bool csv_input::parts::read_header(std::size_t chunk) {
  switch (next_record(chunk)) {
    case csv_splitter::found::record:
      break;
    case csv_splitter::found::needs_bytes:
      return false;
    case csv_splitter::found::end:
      if (piece.path == options.path) is_empty(piece.path);
      piece.to = 0;
      return true;
    case csv_splitter::found::bad:
    case csv_splitter::found::lost:
      lost();
  }
  std::vector<std::string> names;
  for (const auto& c : splitter.cells()) names.emplace_back(c.text);
  rows.set_header(piece.path, std::move(names));
  return true;
}

/// Goes to the first record that begins in the piece.
void csv_input::parts::go_to_rows() {
  if (piece.from == 0) return;
  input->go_to(piece.from);
  splitter.start_at(piece.from, piece.lines);
  auto quoted = piece.in_quotes;
  if (!piece.at_record)
    while (!splitter.skip_to_record(quoted) && splitter.offset() < piece.to) (void)refill(options.chunk);
}

csv_input::got csv_input::parts::read(void* row) {
  if (!rows.has_header() && piece.to > 0 && !read_header(options.chunk)) return got::pause;
  while (splitter.offset() < piece.to) {
    switch (next_record(options.chunk)) {
      case csv_splitter::found::record:
        if (rows.store(splitter, static_cast<char*>(row))) return got::row;
        break;
      case csv_splitter::found::bad:
        rows.refuse(splitter, splitter.fault().reason, splitter.fault().help);
        break;
      case csv_splitter::found::lost:
        lost();
      case csv_splitter::found::needs_bytes:
        return got::pause;
      case csv_splitter::found::end:
        return got::end;
    }
    if (rows.refused() >= refusals_a_turn) return got::pause;
  }
  return got::end;
}

csv_splitter::found csv_input::parts::next_record(std::size_t chunk) {
  for (;;) {
    const auto found = splitter.next();
    if (found != csv_splitter::found::needs_bytes || bytes >= bytes_a_turn || !refill(chunk)) return found;
  }
}

/// False if there were no bytes in time.
bool csv_input::parts::refill(std::size_t chunk) {
  // At least as much again, so that a long record is not looked at many times; but not much more than the piece.
  auto n = std::max(chunk, splitter.pending());
  if (const auto at = input->bytes_taken(); piece.is_piece())
    n = at < piece.to ? std::min<std::uint64_t>(n, piece.to - at) : std::max(std::min(n, small_chunk), splitter.pending());
  const auto got = input->read(splitter.room(n), n);
  if (!got) return false;
  bytes += *got;
  if (*got > 0) {
    splitter.added(*got);
  } else {
    if (input->bytes_taken() < piece.size) has_shrunk(piece.path, *piece.size);
    splitter.ended();
  }
  return true;
}

/// No row can be read behind this record, whatever becomes of bad ones.
void csv_input::parts::lost() {
  const auto& [reason, help] = splitter.fault();
  throw data_error{rows.as_bad(splitter, reason).place + ": the record that starts here " + reason + "\n  help: " + help};
}

csv_input::csv_input(const csv_options& options, const split& part, std::span<const column_binding> columns, bad_row_port& bad)
    : parts_(std::make_unique<parts>(options, part.data.as<file_piece>(), columns, bad)) {
  auto& p = *parts_;
  // The header of a pipe comes when it comes.
  if (!p.input->can_go()) return;
  while (!p.read_header(p.piece.from > 0 ? small_chunk : options.chunk)) begin();
  p.go_to_rows();
}

csv_input::~csv_input() = default;

void csv_input::begin() noexcept {
  parts_->bytes = 0;
  parts_->rows.begin_turn();
}

csv_input::got csv_input::read(void* row) { return parts_->read(row); }

read_progress csv_input::progress() const {
  const auto& p = *parts_;
  if (!p.piece.is_piece()) return {p.input->bytes_taken(), p.piece.size};
  return {std::min(p.splitter.offset(), p.piece.to) - p.piece.from, p.piece.to - p.piece.from};
}

source_position csv_input::position() const {
  auto& p = *parts_;
  if (!p.input->can_go()) return {};
  return saved::of(csv_position{p.splitter.offset(), p.splitter.lines()});
}

void csv_input::seek(const source_position& to) {
  const auto [offset, lines] = to.as<csv_position>();
  parts_->input->go_to(offset);
  parts_->splitter.start_at(offset, lines);
}

void check_csv(const csv_options& options, std::span<const column_binding> columns) {
  file_pieces pieces{options.path, options.split_bytes};
  const auto first = pieces.next();
  if (first) {
    const auto seekable = first->data.as<file_piece>().size.has_value();
    if (seekable) (void)csv_input{options, *first, columns, bad_row_port::strict()};
  } else if (pieces.names(options.path)) {
    is_empty(options.path);
  }
}

std::unique_ptr<split_list> csv_splits(const csv_options& options) {
  return std::make_unique<file_pieces>(options.path, options.split_bytes);
}

}  // namespace spillway::detail
