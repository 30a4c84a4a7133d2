#pragma once
// What a task does, without the actor that carries it.
#include "actors/exchange/input_gate.hpp"
#include "actors/exchange/output_side.hpp"
#include "actors/task/chain.hpp"
#include "actors/task/source_driver.hpp"
#include "messages/views.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace spillway {

/// What a task does to the world.
class task_port : public output_port {
 public:
  /// One batch of `channel` is worked off.
  virtual void credit(std::uint32_t channel) = 0;
};

/// The parts a task is put together from.
struct task_parts {
  std::vector<chain::link> links;
  /// The input of each channel; empty for a source that is read by the task itself.
  std::vector<std::uint32_t> input_of_channel;
  std::unique_ptr<source_driver> source;
  struct output {
    std::unique_ptr<router> route;
    std::uint32_t subpartitions = 1;
    /// The step that takes the rows; its key function, if it has one, is called by the router.
    std::string consumer{};
    /// For a side output: the stage that gives its rows, and its number there.
    std::size_t link = 0;
    std::uint8_t side = 0;
  };
  std::vector<output> outputs;
  /// Send what came of an input before the next is taken, however little it is.
  bool flush_each_input = false;
};

/// Takes the next input when the last is worked off and nothing waits for permits: then it has put all that came of one input
/// into its outputs before it takes the next, and a slow consumer stops every task above it.
///
/// Threads: one at a time. Errors: user code that throws surfaces from `work` as `step_failed`.
class task_core final : private chain_sink {
 public:
  task_core(task_parts parts, task_port& port);

  void arrive(std::uint32_t channel, element e) { gate_.arrive(channel, std::move(e)); }
  void permit(std::uint32_t edge, std::uint32_t sub, std::uint32_t batches) { outputs_[edge].writer.permit(sub, batches); }
  void abort(std::uint64_t checkpoint) { gate_.abort(checkpoint); }

  /// What `work` has led to.
  enum class state : std::uint8_t {
    more,      ///< there is more to do now
    waiting,   ///< for input, or for the source's time to come: see `wait_for`
    blocked,   ///< for permits
    finished,  ///< all ended, and all of it was sent
  };

  /// Does at most about `steps` calls of stages.
  state work(std::size_t steps);

  /// Valid when `work` said `waiting` and the task has a source of its own. Null: until there is a split for it.
  std::optional<std::chrono::microseconds> wait_for() const noexcept { return wait_for_; }

  /// Sends batches that are not full yet.
  void flush();
  bool holds_rows() const noexcept;

  /// Nothing came for the buffer timeout.
  void pause() { chain_.pause(); }
  std::optional<std::chrono::microseconds> pause_again() const { return chain_.pause_again(); }

  /// True if all channels of `input` have ended, and all that came of them was worked off.
  bool ended(std::uint32_t input) const noexcept { return gate_.ended(input) && chain_.idle(); }

  /// What the enumerator of the task's own source answers. Throws `step_failed`.
  void assign(const split& s, std::optional<timestamp> history_end);

  /// The source that the task reads itself, or null.
  source_driver* source() noexcept { return source_.get(); }

  bool backlog() const noexcept { return backlog_; }
  const std::string& failed_step() const noexcept { return chain_.failed_step(); }
  chain& operators() noexcept { return chain_; }
  void describe(task_view& view) const;

 private:
  struct output {
    void put(batch_ptr rows);

    std::unique_ptr<router> route;
    edge_writer writer;
    std::string consumer;
    std::size_t link;
    std::uint8_t side;
  };

  void take(element e) override;
  void take_side(std::size_t link, std::uint8_t side, batch_ptr rows) override;
  bool blocked() const override;
  bool next_input();
  bool next_read();
  read_result read(batch_ptr& rows, batch_ptr& refused);
  bool read_rows();
  void distribute(std::size_t link, std::uint8_t side, batch_ptr rows);
  void forward(const control& mark);

  input_gate gate_;
  std::unique_ptr<source_driver> source_;
  std::vector<output> outputs_;
  chain chain_;
  task_port& port_;
  std::optional<std::uint32_t> owed_;
  std::optional<std::chrono::microseconds> wait_for_;
  timestamp watermark_ = min_time;
  /// What a source of the task's own gives next.
  enum class reading : std::uint8_t { header, rows, last_watermark, end } reading_ = reading::header;
  bool flush_each_input_, backlog_ = false, reads_backlog_ = false, finished_ = false;
};

}  // namespace spillway
