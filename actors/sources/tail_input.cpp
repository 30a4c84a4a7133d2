#include "actors/sources/tail_input.hpp"

#include "actors/sources/input_file.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

namespace spillway::detail {
namespace {

constexpr std::size_t chunk = 128 * 1024;
/// How much a reader does before it comes back to its thread.
constexpr std::size_t bytes_a_turn = 4 * 1024 * 1024;

/// Where a reader is: at the beginning of a record.
struct tail_position {
  std::uint64_t inode = 0, offset = 0, before = 0, lines = 0;
  std::uint64_t first_byte = 0;
  std::optional<timestamp> first_time;
};
BOOST_DESCRIBE_STRUCT(tail_position, (), (inode, offset, before, lines, first_byte, first_time))

}  // namespace

tail_input::tail_input(tail_options options, std::unique_ptr<record_stream> records, bad_row_port& bad,
                       std::optional<timestamp> first_time)
    : options_(std::move(options)), records_(std::move(records)), bad_(bad), first_time_(first_time), file_(options_.path) {
  if (!file_.open()) return;
  first_goal_ = file_.behind();
  if (options_.at_end) records_->skip_before(first_byte_ = first_goal_);
}

read_result tail_input::read(row_slots& to) {
  for (std::size_t bytes = 0; bytes < bytes_a_turn;) {
    if (!needs_bytes_) {
      const auto did = records_->read(to);
      if (did == record_stream::did::lost) lost();
      if (did == record_stream::did::more) return read_result::more();
      needs_bytes_ = true;
      see_how_far();
    }
    // At least as much again, so that a long record is not looked at many times.
    const auto n = std::max(chunk, records_->pending());
    const auto look = file_.read(records_->room(n), n);
    switch (look.did) {
      case tail_file::look::kind::bytes:
        records_->added(look.bytes);
        bytes += look.bytes;
        needs_bytes_ = false;
        break;
      case tail_file::look::kind::replaced:
        begin_anew("another file took its name");
        break;
      case tail_file::look::kind::rewritten:
        bad_.note(options_.path + " was written anew and is read from its beginning; what was not read before is lost");
        begin_anew("the file was written anew");
        break;
      case tail_file::look::kind::nothing:
        see_how_far();
        return read_result::wait(options_.poll);
    }
  }
  return read_result::more();
}

void tail_input::begin_anew(std::string_view happened) {
  done_ += records_->offset() + records_->pending();
  auto reason = "is cut off: " + std::string{happened} + " before its line end came";
  records_->cut(reason, "write records whole, with their line ends, before the file is renamed or emptied");
  records_->start_at(0, 0);
  records_->skip_before(first_byte_ = 0);
  first_goal_ = 0;
  needs_bytes_ = false;
}

void tail_input::see_how_far() {
  const auto behind = file_.behind();
  if (behind == 0 || (behind < options_.backlog.below && file_.offset() >= first_goal_))
    backlog_ = false;
  else if (behind > options_.backlog.above)
    backlog_ = true;
}

void tail_input::lost() {
  const auto [row, help] = records_->fault();
  throw data_error{row.place + ": the record that starts here " + row.reason + "\n  help: " + help};
}

source_position tail_input::position() const {
  const auto at = file_.place_at(records_->offset());
  return saved::of(tail_position{at.inode, at.offset, at.before, records_->lines(), first_byte_, first_time_});
}

void tail_input::seek(const source_position& p) {
  const auto to = p.as<tail_position>();
  first_time_ = to.first_time;
  file_.open_again({to.inode, to.offset, to.before});
  records_->start_at(0, 0);
  records_->skip_before(first_byte_ = to.first_byte);
  if (to.offset > 0) {
    read_header();
    file_.go_to(to.offset);
    records_->start_at(to.offset, to.lines);
  }
  first_goal_ = file_.offset() + file_.behind();
}

void tail_input::read_header() {
  row_slots no_rows;
  while (!records_->has_header()) {
    const auto n = std::max(chunk, records_->pending());
    const auto look = file_.read(records_->room(n), n);
    records_->added(look.bytes);
    if (records_->read(no_rows) == record_stream::did::lost) lost();
  }
}

void check_tail(const tail_options& options, start_point from, bool has_time) {
  const auto name = "'" + options.path + "' ";
  if (options.poll <= std::chrono::microseconds{0})
    throw pipeline_error{name + "is to be followed without a pause between looks\n  help: give .poll a time above 0"};
  if (options.backlog.below > options.backlog.above)
    throw pipeline_error{name +
                         "is to be followed with a backlog that ends above where it begins\n  help: make .backlog.below the "
                         "smaller of the two"};
  if (!has_time && (from.is == start_point::kind::time || from.is == start_point::kind::after_history))
    throw pipeline_error{name +
                         "is to be followed from a time on, but the time of its rows is not known\n  help: say which member "
                         "it is, .time = &row::when"};
  const std::filesystem::path file{options.path};
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) cannot_read_file(options.path, EISDIR);
  if (!std::filesystem::is_directory(file.has_parent_path() ? file.parent_path() : ".", ignored))
    input_file::cannot_read(options.path, "there is no folder for it", help_for_missing(options.path));
}

}  // namespace spillway::detail
