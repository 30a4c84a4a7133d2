#pragma once
// What a source is made of. A description (an aggregate: `row`, `bounds`, options, `open`) is what users pass to `read`; the
// readers it opens do the work.
#include "actors/job_clock.hpp"
#include "messages/bad_rows.hpp"
#include "messages/batch.hpp"
#include "messages/split.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

/// Whether a stream ends.
enum class boundedness : std::uint8_t { bounded, unbounded };
inline constexpr auto bounded = boundedness::bounded;
inline constexpr auto unbounded = boundedness::unbounded;

/// What a source is told when its splits are listed and its readers opened.
struct source_context {
  std::string step;
  /// Of the reader; 0 while splits are listed.
  std::uint32_t subtask = 0;
  std::uint32_t parallelism = 1;
  /// Outlives the reader.
  const job_clock* clock = nullptr;
  /// Where records go that are no rows; outlives the reader.
  bad_row_port* bad = &bad_row_port::strict();
  /// True once the job is cancelled or fails: whoever waits looks at it at least ten times a second. Null: never.
  const std::atomic<bool>* stop = nullptr;
  /// For the second part of `history.then(live)`: the greatest time of a row of the history, where times are known.
  std::optional<timestamp> history_end{};
};

/// The splits of a source, one after another: readers work on the first while the next are looked for.
///
/// Threads: called by one thread at a time, which may block if the description says `blocking`. Errors: throw.
class split_list {
 public:
  virtual ~split_list() = default;

  /// The next split, or none after the last.
  virtual std::optional<split> next() = 0;

  /// The size of all splits, in what `read_progress` counts, where it is known before they are.
  virtual std::optional<std::uint64_t> total() const { return std::nullopt; }
};

/// A list of splits that are all known.
class known_splits final : public split_list {
 public:
  explicit known_splits(std::vector<split> all) : all_(std::move(all)) {}

  std::optional<split> next() override {
    if (next_ == all_.size()) return std::nullopt;
    return all_[next_++];
  }
  std::optional<std::uint64_t> total() const override {
    std::uint64_t sum = 0;
    for (const auto& s : all_) {
      if (!s.size) return std::nullopt;
      sum += *s.size;
    }
    return sum;
  }

 private:
  std::vector<split> all_;
  std::size_t next_ = 0;
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

/// Reads one split of a source.
///
/// Threads: called by one thread at a time. A description with `static constexpr bool blocking = true` says that `read` may wait
/// for a disk or a peer: its readers get a thread of their own, which should not be held for more than 100 ms at a time. One with
/// `std::string file() const` names the file it reads, which no sink of the job may write then. Errors: throw; the job fails with
/// the step's name before the text. Records that are no rows go to `source_context::bad`.
template <class T>
class source_reader {
 public:
  virtual ~source_reader() = default;

  /// Appends rows to `to`, which is not full, until it is full or no row is at hand.
  virtual read_result read(batch_of<T>& to) = 0;

  /// Called between reads, on the same thread.
  virtual read_progress progress() const { return {}; }

  /// Where the row after those read so far is. Empty: this source cannot go back.
  virtual source_position position() const { return {}; }

  /// Goes on at `p`, which a reader of this split gave. Called before the first `read`, if at all.
  virtual void seek(const source_position& p) { (void)p; }

  /// True while the rows that it gives are old: it has not caught up with what comes in. Asked only if the description has
  /// `static constexpr bool tells_backlog = true`.
  virtual bool backlog() const { return false; }

  /// All rows before `p` have been worked off, and a restart will not ask for them again: a peer that keeps them may forget them.
  virtual void committed(const source_position& p) { (void)p; }
};

}  // namespace spillway
