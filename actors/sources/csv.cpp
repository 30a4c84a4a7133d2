#include "actors/sources/csv.hpp"

#include "actors/sources/byte_input.hpp"
#include "actors/sources/byte_scan.hpp"
#include "actors/sources/csv_splitter.hpp"
#include "actors/sources/file_pieces.hpp"

#include <algorithm>
#include <optional>

namespace spillway::detail {
namespace {

/// How much a reader does before it comes back to its thread.
constexpr std::uint64_t bytes_a_turn = 8 * 1024 * 1024;
constexpr std::uint32_t refusals_a_turn = 1000;

/// Where little is needed: a header, the rest of a piece's last record.
constexpr std::size_t small_chunk = 16 * 1024;

/// Where a reader is: at the beginning of a record.
struct csv_position {
  std::uint64_t offset = 0;
  std::uint64_t lines = 0;
};
BOOST_DESCRIBE_STRUCT(csv_position, (), (offset, lines))

/// Text of a file as it may stand in a message: in quotes, in one line, in UTF-8, not long.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 200;
  constexpr std::string_view digits = "0123456789abcdef";
  const auto cut = text.size() > most;
  text = text.substr(0, most);
  std::string out = "\"";
  for (;;) {
    const auto fine = utf8_prefix(text);
    append_visible(out, text.substr(0, fine));
    if (fine == text.size()) break;
    const auto byte = static_cast<unsigned char>(text[fine]);
    ((out += "\\x") += digits[byte / 16]) += digits[byte % 16];
    text.remove_prefix(fine + 1);
  }
  return out + (cut ? "…\"" : "\"");
}

std::string plural(std::size_t n, const char* thing) { return std::to_string(n) + ' ' + thing + (n == 1 ? "" : "s"); }

[[noreturn]] void is_empty(const std::string& path) {
  input_file::cannot_read(path, "it is empty", "the first line of a CSV file names its columns");
}

}  // namespace

struct csv_input::parts {
  parts(const csv_options& o, const file_piece& p, std::span<const column_binding> c, bad_row_port& b)
      : options(o),
        piece(p),
        columns(c.begin(), c.end()),
        bad(b),
        splitter(o.delimiter, o.max_record),
        input(open_bytes(p.path)) {
    if (input->inode() != piece.inode) was_replaced(piece.path);
  }

  bool read_header(std::size_t chunk);
  void go_to_rows();
  got read(void* row);
  csv_splitter::found next_record(std::size_t chunk);
  bool refill(std::size_t chunk);
  bool is_row();
  bool store(char* row);
  void refuse_record(std::string_view reason, std::string_view help);
  void refuse_cell(std::size_t cell, std::string_view is_wrong);
  void refuse_cell(std::size_t cell, const std::exception& why);
  void refuse(bad_row row, std::string_view help);
  [[noreturn]] void lost();
  std::string place() { return piece.path + ':' + std::to_string(splitter.line()); }
  std::string column(std::size_t cell) { return ", column '" + header[cell] + '\''; }

  struct setter {
    std::size_t cell, at;
    cell_reader reader;
    std::shared_ptr<const void> state;
  };

  csv_options options;
  file_piece piece;
  std::vector<column_binding> columns;
  bad_row_port& bad;
  csv_splitter splitter;
  std::unique_ptr<byte_input> input;
  std::vector<std::string> header;
  std::vector<setter> setters;
  /// There is a header. An empty file of several has none.
  bool has_header = false;
  /// Of this turn.
  std::uint64_t bytes = 0;
  std::uint32_t refusals = 0;
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
  has_header = true;
  for (const auto& c : splitter.cells()) header.emplace_back(c.text);
  const auto places = find_columns(piece.path, header, columns);
  for (std::size_t i = 0; i < columns.size(); ++i)
    setters.push_back({places[i], columns[i].from, columns[i].reader, columns[i].state});
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
  if (!has_header && piece.to > 0 && !read_header(options.chunk)) return got::pause;
  while (splitter.offset() < piece.to) {
    switch (next_record(options.chunk)) {
      case csv_splitter::found::record:
        if (is_row() && store(static_cast<char*>(row))) return got::row;
        break;
      case csv_splitter::found::bad:
        refuse_record(splitter.fault().reason, splitter.fault().help);
        break;
      case csv_splitter::found::lost:
        lost();
      case csv_splitter::found::needs_bytes:
        return got::pause;
      case csv_splitter::found::end:
        return got::end;
    }
    if (refusals >= refusals_a_turn) return got::pause;
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

bool csv_input::parts::is_row() {
  const auto cells = splitter.cells();
  if (cells.size() == header.size()) return true;
  if (cells.size() == 1 && cells[0].text.empty() && !cells[0].quoted) return false;
  refuse_record("has " + plural(cells.size(), "cell") + ", but the header has " + std::to_string(header.size()),
                cells.size() > header.size() ? "put a cell with a delimiter or a line end in quotes"
                                             : "write an empty cell for each that is missing");
  return false;
}

bool csv_input::parts::store(char* row) {
  const auto cells = splitter.cells();
  const auto ascii = splitter.ascii();
  std::size_t at = 0;
  std::string_view reason;
  try {
    for (const auto& s : setters) {
      at = s.cell;
      if (!ascii && s.reader.is_text && !is_utf8(cells[at].text))
        reason = "is not UTF-8";
      else
        reason = s.reader.store(s.state.get(), cells[at], row + s.at);
      if (!reason.empty()) break;
    }
  } catch (const std::exception& e) {
    refuse_cell(at, e);
    return false;
  }
  if (!reason.empty()) refuse_cell(at, reason);
  return reason.empty();
}

void csv_input::parts::refuse_record(std::string_view reason, std::string_view help) {
  refuse({{}, place(), shown(splitter.record()), std::string{reason}}, help);
}

void csv_input::parts::refuse_cell(std::size_t cell, std::string_view is_wrong) {
  const auto text = splitter.cells()[cell].text;
  const auto help =
      text.empty() ? "make the member a std::optional, which is null for an empty cell"
                   : "correct the file, or read the column with a function, columns{{\"" + header[cell] + "\", &row::member, f}}";
  refuse({{}, place() + column(cell), shown(text), std::string{is_wrong}}, help);
}

void csv_input::parts::refuse_cell(std::size_t cell, const std::exception& why) {
  refuse({{}, place() + column(cell), shown(splitter.cells()[cell].text), std::string{"was refused: "} + why.what()},
         "correct the file, or the function for this column");
}

void csv_input::parts::refuse(bad_row row, std::string_view help) {
  ++refusals;
  bad.refuse(std::move(row), help);
}

/// No row can be read behind this record, whatever becomes of bad ones.
void csv_input::parts::lost() {
  throw data_error{place() + ": the record that starts here " + splitter.fault().reason + "\n  help: " + splitter.fault().help};
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
  parts_->refusals = 0;
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
