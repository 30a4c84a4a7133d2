#pragma once
#include "actors/sink.hpp"

#include <boost/describe/class.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

/// When a part ends and the next one begins: whatever comes first, 0 for never.
struct roll {
  /// Looked at after each batch, so a part may be longer by the text of one.
  std::uint64_t bytes = 128 * 1024 * 1024;
  std::uint64_t rows = 0;
  /// Since the first row of the part. Looked at when rows come, and when none has come for the buffer timeout.
  std::chrono::milliseconds every{0};
};

namespace detail {

/// Parts that are durable but not visible yet: the names that they get.
struct part_names {
  std::vector<std::string> names;
};
BOOST_DESCRIBE_STRUCT(part_names, (), (names))

/// One subtask's files in a folder, called `part-<subtask>-<n><ending>`. A part goes by three names: while it is written
/// `<name>.part`, once it is durable `<name>.pending.part`, and once it is committed its own. It never replaces a file.
///
/// Numbers go on behind the highest that any file of the subtask in the folder has, whatever became of it: so parts of earlier
/// runs stay, and so do `.part` and `.pending.part` files that a killed program left.
///
/// Errors: `std::runtime_error` with the path and the cause.
class part_files {
 public:
  using clock = std::function<std::chrono::steady_clock::time_point()>;

  part_files(std::string folder, std::string ending, roll when, const sink_context& context, clock now = {});
  part_files(const part_files&) = delete;
  part_files& operator=(const part_files&) = delete;
  /// Removes the part that is being written.
  ~part_files();

  /// The text of the part, to which rows are appended. `begins` is true for its first ones. At most `room` rows may be added
  /// before `wrote`.
  std::string& text();
  bool begins() const noexcept { return file_ < 0; }
  std::size_t room(std::size_t rows) const noexcept;
  /// So many rows were appended to the text.
  void wrote(std::size_t rows);

  /// Writes what there is to the part's file.
  void flush();

  /// When the part that is being written ends by the clock, if it does.
  std::optional<std::chrono::microseconds> ends_in() const;

  commit_token prepare();
  void commit(const commit_token& token) const;

 private:
  static clock clock_of(const sink_context& context);
  void open();
  void write();
  void finish();
  bool due() const;
  std::string path(const std::string& name) const { return folder_ + '/' + name; }
  [[noreturn]] void fail(const std::string& name, int error) const;

  std::string folder_, prefix_, ending_;
  roll when_;
  bool checkpoints_;
  clock now_;
  std::uint64_t next_ = 1;

  /// The part that is being written.
  std::string name_, text_;
  int file_ = -1;
  std::uint64_t bytes_ = 0, rows_ = 0;
  std::chrono::steady_clock::time_point since_{};
  std::vector<std::string> pending_;
};

}  // namespace detail
}  // namespace spillway
