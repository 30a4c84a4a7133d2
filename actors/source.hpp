#pragma once
// What a source is made of. A description (an aggregate: `row`, `bounds`, options, `open`) is what users pass to `read`; the
// reader it opens does the work.
#include "messages/batch.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace spillway {

/// Whether a stream ends.
enum class boundedness : std::uint8_t { bounded, unbounded };
inline constexpr auto bounded = boundedness::bounded;
inline constexpr auto unbounded = boundedness::unbounded;

/// Time as a job sees it: the machine's monotonic clock, or virtual time in tests.
class job_clock {
 public:
  virtual ~job_clock() = default;
  virtual std::chrono::steady_clock::time_point now() const = 0;
};

/// What a reader is told when it is opened.
struct source_context {
  std::string step;
  std::uint32_t subtask = 0;
  std::uint32_t parallelism = 1;
  /// Outlives the reader.
  const job_clock* clock = nullptr;
};

/// What `read` did.
struct read_result {
  enum class kind : std::uint8_t { more, wait, end };
  kind state = kind::end;
  /// With `wait`: when to ask again at the latest.
  std::chrono::microseconds wait_for{0};

  /// Rows may be at hand now.
  static constexpr read_result more() { return {kind::more, {}}; }
  /// No row is at hand; ask again after `d`.
  static constexpr read_result wait(std::chrono::microseconds d) { return {kind::wait, d}; }
  /// There are no more rows; those appended by this call are the last.
  static constexpr read_result end() { return {kind::end, {}}; }
};

/// How far a reader has come, in bytes or rows.
struct read_progress {
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
};

/// Reads one subtask's share of a source.
///
/// Threads: called by one thread at a time. A description with `static constexpr bool blocking = true` says that `read` may wait
/// for a disk or a peer: its readers get a thread of their own. One with `std::string file() const` names the file it reads,
/// which no sink of the job may write then. Errors: throw; the job fails with the step's name before the text.
template <class T>
class source_reader {
 public:
  virtual ~source_reader() = default;

  /// Appends rows to `to`, which is not full, until it is full or no row is at hand.
  virtual read_result read(batch_of<T>& to) = 0;

  /// Called between reads, on the same thread.
  virtual read_progress progress() const { return {}; }
};

}  // namespace spillway
