#pragma once
#include "actors/task/bad_row_book.hpp"
#include "actors/task/stage.hpp"

#include <string>
#include <vector>

namespace spillway {

/// Where a chain's last outlet is emptied.
class chain_sink {
 public:
  virtual ~chain_sink() = default;
  virtual void take(element e) = 0;
  /// Rows for a side output of the stage numbered `link`.
  virtual void take_side(std::size_t link, std::uint8_t side, batch_ptr rows) = 0;
  /// True while what was taken waits for permits: the chain stops.
  virtual bool blocked() const = 0;
};

/// The stages of one task and the queues between them.
///
/// The deepest stage with work goes first, so that each queue holds what one call of the stage before it gave. When the sink is
/// blocked nothing runs: output larger than the permits waits as a half-done cursor, not in memory.
class chain {
 public:
  struct link {
    std::string step;
    std::unique_ptr<stage> op;
    /// What becomes of rows on which its code throws; null: the job fails.
    std::unique_ptr<bad_row_book> bad{};
    std::uint64_t rows_in = 0, rows_out = 0;
  };

  chain(std::vector<link> links, chain_sink& sink);

  /// Gives the first stage its next input. Only when `idle`.
  void push(element e, std::uint32_t input = 0);

  bool idle() const noexcept;

  /// Works for at most `steps` calls of a stage. Throws `step_failed`; `failed_step` then names the step.
  void pump(std::size_t steps);

  /// Nothing came for the buffer timeout.
  void pause();
  /// The time to the next pause, if a stage wants one though nothing comes.
  std::optional<std::chrono::microseconds> pause_again() const;

  const std::vector<link>& links() const noexcept { return links_; }
  std::vector<link>& links() noexcept { return links_; }
  const std::string& failed_step() const noexcept { return failed_step_; }

 private:
  bool has_work(std::size_t i) const noexcept;
  void step(std::size_t i);
  bool left_out(std::size_t i, const step_failed& why);
  void work_on_rows(std::size_t i);
  void work_on_mark(std::size_t i);
  template <class Call>
  progress call(std::size_t i, Call&& f);
  void empty_sides(std::size_t i);
  void empty_last_queue();

  std::vector<link> links_;
  /// queues_[i] is in front of stage i, the last in front of the sink.
  std::vector<outlet> queues_;
  std::vector<rows_cursor> cursors_;
  chain_sink& sink_;
  std::uint32_t input_ = 0;
  std::string failed_step_;
};

}  // namespace spillway
