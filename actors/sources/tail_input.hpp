#pragma once
#include "actors/row_time.hpp"
#include "actors/source.hpp"
#include "actors/sources/tail_file.hpp"
#include "actors/sources/tail_records.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace spillway {

/// When a source that follows a file says that it is behind, in bytes that it has not read: its rows are old from `above` on, and
/// live again once `below` are left. It begins behind, until it has read all that was there when it began.
struct backlog_bytes {
  std::uint64_t above = 4 * 1024 * 1024;
  std::uint64_t below = 64 * 1024;
};

namespace detail {

struct tail_options {
  std::string path;
  std::chrono::microseconds poll{0};
  backlog_bytes backlog{};
  bool at_end = false;
};

/// Rows of a file that grows.
class tail_input {
 public:
  /// Rows before `first_time` will be left out by whoever reads; it becomes part of positions.
  tail_input(tail_options options, std::unique_ptr<record_stream> records, bad_row_port& bad,
             std::optional<timestamp> first_time);

  read_result read(row_slots& to);

  bool backlog() const noexcept { return backlog_; }
  read_progress progress() const { return {done_ + records_->offset(), {}}; }
  source_position position() const;
  void seek(const source_position& p);
  std::optional<timestamp> first_time() const noexcept { return first_time_; }

 private:
  void read_header();
  void begin_anew(std::string_view happened);
  void see_how_far();
  [[noreturn]] void lost();

  tail_options options_;
  std::unique_ptr<record_stream> records_;
  bad_row_port& bad_;
  std::optional<timestamp> first_time_;
  tail_file file_;
  /// Of the files before this one.
  std::uint64_t done_ = 0;
  /// How far it was to go when it began.
  std::uint64_t first_goal_ = 0;
  /// Records before it are left out.
  std::uint64_t first_byte_ = 0;
  bool backlog_ = true, needs_bytes_ = false;
};

/// Throws `pipeline_error` for options that cannot be, `data_error` if there is no folder in which the file could be.
void check_tail(const tail_options& options, start_point from, bool has_time);

}  // namespace detail
}  // namespace spillway
