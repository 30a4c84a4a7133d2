#pragma once
// What a sink is made of. A description (an aggregate: options, `open`) is what users pass to `write`, which supplies the row
// type; the writer it opens does the work.
#include "actors/job_clock.hpp"
#include "messages/batch.hpp"
#include "messages/saved.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

/// What a writer is told when it is opened.
struct sink_context {
  std::string step;
  std::uint32_t subtask = 0;
  std::uint32_t parallelism = 1;
  /// The flat columns of the rows, see `column_names`.
  std::vector<std::string> columns{};
  /// The job takes checkpoints: what was written becomes visible only by `commit`. Otherwise it may whenever the writer likes.
  bool checkpoints = false;
  /// True once the job is cancelled or fails: whoever waits looks at it at least ten times a second, and gives up. Null: never.
  const std::atomic<bool>* stop = nullptr;
  /// Outlives the writer. Null: the machine's.
  const job_clock* clock = nullptr;
};

/// Names what a writer has made ready to be seen: whatever it needs to do so, also in another process.
using commit_token = saved;

/// Writes one subtask's share of a stream.
///
/// What is written becomes visible in two steps where that is possible: `prepare` makes it durable, `commit` visible. A job that
/// fails in between commits the token after its restart, by a new writer; one that fails before `prepare` writes the rows again.
///
/// Threads: called by one thread at a time. A description with `static constexpr bool blocking = true` says that its writers may
/// wait for a disk or a peer: they get a thread of their own. Errors: throw; the job fails with the step's name before the text.
///
/// A description with `std::string file() const` names the file that it writes as a whole: a job that also reads it, or writes it
/// twice, is refused before it runs.
template <record T>
class sink_writer {
 public:
  virtual ~sink_writer() = default;

  /// Takes the rows of one batch, which stay the caller's.
  virtual void write(const batch_of<T>& rows) = 0;

  /// No row came for the buffer timeout: what was written should become visible, if nothing has to be committed.
  virtual void flush() {}

  /// Asked after `flush`: when to call it again at the latest, also if no row comes. Null: not before there are rows.
  virtual std::optional<std::chrono::microseconds> flush_again() const { return std::nullopt; }

  /// Makes all that was written since the last call durable, but not visible. Empty: there was nothing.
  virtual commit_token prepare() { return {}; }

  /// Makes visible what a `prepare` was for, of this writer or one before it of the same sink. To do so twice does no harm.
  virtual void commit(const commit_token& token) { (void)token; }

  /// All rows were written: makes the result whole. Not called when the job fails or is cancelled.
  virtual void close() {
    if (const auto token = prepare(); !token.empty()) commit(token);
  }
};

}  // namespace spillway
