#pragma once
// The inside of a task: operators as stages that take and give whole batches.
#include "messages/element.hpp"
#include "messages/key.hpp"
#include "messages/query.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace spillway {

class job_clock;

/// Base of operators with message handlers of their own; defined in <spillway/actor.hpp>.
class message_handlers;

template <class X>
message_handlers* handlers_of(X& op) noexcept {
  if constexpr (std::is_base_of_v<message_handlers, X>)
    return &op;
  else
    return nullptr;
}

/// What a stage is told when it is made.
struct stage_context {
  std::string step;
  std::uint32_t subtask = 0;
  std::uint32_t parallelism = 1;
  key_groups groups{128, 1};
  /// Outlives the stage.
  const job_clock* clock = nullptr;
  /// True once the job is cancelled or fails; outlives the stage. Null: never.
  const std::atomic<bool>* stop = nullptr;
};

/// Where a stage puts its output: the queue in front of the next stage, or of the task's outputs.
class outlet {
 public:
  /// Appends a batch. Empty ones are dropped.
  void push(batch_ptr rows);
  void push(control mark);

  /// Appends a batch to a side output of the step, numbered from 1.
  void push_side(std::uint8_t side, batch_ptr rows);

  /// A stage whose output has no bound looks here after each user call, and stops with `progress::more` when it is true.
  bool full() const noexcept { return !queue_.empty(); }

 private:
  friend class chain;
  std::deque<element> queue_;
  std::vector<element> sides_;
};

/// The rows a stage works on. A stage that stopped finds `at` where it left it.
struct rows_cursor {
  batch_ptr rows;
  std::size_t at = 0;
  std::uint32_t input = 0;
};

/// Whether a stage is through with what it was given, or wants to be called again when there is room for more output.
enum class progress : std::uint8_t { done, more };

/// True if `mark` is the last element.
bool is_end(const control& mark) noexcept;

/// One operator at work in one subtask.
///
/// Threads: called by one thread at a time; must not block. Errors: user code that throws reaches the chain as `step_failed`.
/// What came of the rows before was then put out, and the cursor stands at the row, so that the chain may go on behind it.
class stage {
 public:
  virtual ~stage();

  virtual progress on_rows(rows_cursor& in, outlet& out) = 0;

  /// `mark` has its turn; the chain passes it on after `done`. The last one is `end_mark`.
  virtual progress on_mark(const control& mark, outlet& out);

  /// Nothing came for the buffer timeout: a sink makes visible what it has.
  virtual void on_pause();

  /// When `on_pause` should be called again at the latest, also if nothing comes; null if it need not.
  virtual std::optional<std::chrono::microseconds> pause_again() const;

  /// Answers a question from outside. Throws `query_error`.
  virtual std::any answer(const question& q);

  /// Keys with state, for inspection.
  virtual std::uint64_t keys() const;

  /// The greatest time of its rows so far, of a stage that looks at it.
  virtual std::optional<timestamp> greatest_time() const;

  /// Handlers of the operator's own; null where there are none.
  virtual message_handlers* handlers();
};

/// Passes rows on as they are: the place of a source in its task's chain.
class pass_stage final : public stage {
 public:
  progress on_rows(rows_cursor& in, outlet& out) override;
};

/// User code threw: in which step, on which row, and what it said.
class step_failed : public std::runtime_error {
 public:
  step_failed(std::string row, const std::string& cause, std::string step = {})
      : std::runtime_error(cause), row(std::move(row)), step(std::move(step)) {}
  /// The row as text, or "" if it was not about a row.
  std::string row;
  /// "" if it was thrown by the stage that `chain::failed_step` names.
  std::string step;
  /// True if the stage's cursor stands at the row, so that it can go on behind it.
  bool at_row = false;
};

/// Turns the exception in flight into a `step_failed` of `step`.
[[noreturn]] void fail_in_step(const std::string& step);

/// Turns the exception in flight into a `step_failed` on `row`, whose cause begins with `where`; one that is a `step_failed`
/// stays as it is.
[[noreturn]] void fail_because(std::string row, const std::string& where);

}  // namespace spillway
