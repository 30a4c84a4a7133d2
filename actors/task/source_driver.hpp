#pragma once
// One subtask's share of a source, without the actor that carries it: splits in, batches out.
#include "actors/task/bad_row_book.hpp"
#include "actors/task/bodies.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

/// How long a source waits that has no split: until it is told.
inline constexpr auto until_told = std::chrono::microseconds::max();

/// Opens the splits it is given and reads them: one after another if the source ends, all in turn if it does not.
///
/// Threads: called by one thread at a time. Errors: what the source throws.
class source_driver {
 public:
  /// What `context` points to outlives the driver. `bad` says what becomes of bad rows; `history` that all of its rows are old.
  source_driver(std::shared_ptr<const source_body> body, source_context context, bad_rows bad = {}, bool history = false);

  /// True if the next split should be asked for; whoever does says so with `asked`.
  bool wants_split() const noexcept;
  void asked() noexcept { asked_ = true; }

  /// The answer: a split, or that there are no more. `history_end` as in `source_context`.
  void assign(const split& s, std::optional<timestamp> history_end);
  void no_more() noexcept;

  /// The rows at hand now, perhaps none; `refused` gets the bad ones for the side output. Without a split it waits `until_told`.
  read_result read(batch_ptr& rows, batch_ptr& refused);

  /// True while the rows that it gives are old.
  bool backlog() const;

  /// All that was read; the total only where every split is known.
  read_progress progress() const;

  /// Where each open split has been read to.
  struct open_split {
    std::string split;
    source_position at;
  };
  std::vector<open_split> positions() const;

  bad_row_book& bad() noexcept { return bad_; }
  const bad_row_book& bad() const noexcept { return bad_; }

 private:
  struct reading {
    std::string split;
    std::unique_ptr<source_head> head;
  };

  read_result read_next(batch_ptr& rows);

  std::shared_ptr<const source_body> body_;
  source_context context_;
  bad_row_book bad_;
  std::vector<reading> open_;
  std::size_t turn_ = 0;
  std::uint64_t done_ = 0;
  bool history_, asked_ = false, last_ = false, opened_ = false, ended_ = false;
};

}  // namespace spillway
