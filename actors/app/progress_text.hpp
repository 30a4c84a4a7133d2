#pragma once
// A running job as lines of text. Plain: looks at views and a time, and knows no terminal.
#include "messages/views.hpp"
#include "scheduler/plan.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

/// `231083` as `231,083`.
std::string number_text(std::uint64_t n);

/// A time for people: 7 ms, 0.4 s, 12.0 s, 3 min 20 s, 2 h 5 min.
std::string time_text(std::chrono::milliseconds t);

/// `text` cut to `width` characters; the last then says that some are left out.
std::string cut(const std::string& text, std::size_t width);

/// How the tasks of a job are getting on, from one look at it to the next.
///
/// Bounded sources that know how much there is show how far they are, never less than before; unbounded tasks show whether they
/// work off a backlog and their rate. A task waits until it has its first row; its time counts from the look before that one.
class progress_text {
 public:
  /// How a line begins: the state, this wide, then two blanks.
  static constexpr std::size_t state_width = 8;

  explicit progress_text(const execution_plan& plan);

  /// Takes in the job as it is `elapsed` after its start.
  void update(const job_view& job, std::chrono::milliseconds elapsed);

  /// A line a task.
  std::vector<std::string> lines() const;

  /// The lines of the tasks whose state is another than at the last call.
  std::vector<std::string> changes();

 private:
  enum class state : std::uint8_t { waiting, running, live, backlog, finished, stopped };
  struct task {
    std::string name;
    std::uint32_t parallelism = 1;
    bool unbounded = false, sink_last = false, sink_only = false;
    state now = state::waiting, told = state::waiting;
    std::uint64_t rows_in = 0, rows_out = 0;
    int percent = -1;
    double share = 0;
    std::optional<std::chrono::milliseconds> began;
    std::chrono::milliseconds last{0}, rated_at{0};
    std::uint64_t rated_rows = 0;
    std::optional<double> rate;
  };

  void update(task& t, const std::vector<const task_view*>& subtasks, job_phase phase, std::chrono::milliseconds elapsed);
  static void update_share(task& t, const std::vector<const task_view*>& subtasks, std::optional<std::uint64_t> size);
  static void update_rate(task& t, std::chrono::milliseconds elapsed);
  std::string line(const task& t) const;

  std::vector<task> tasks_;
  std::chrono::milliseconds last_look_{0};
  std::size_t name_width_ = 0;
};

/// How many bad rows each step left out, a line a step.
std::vector<std::string> refused_text(const job_view& job);

/// The last line of a job that has finished or was cancelled.
std::string end_text(const std::string& job, job_phase phase, std::chrono::milliseconds elapsed);

}  // namespace spillway
