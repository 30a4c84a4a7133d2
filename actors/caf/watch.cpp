#include "actors/caf/watch.hpp"

#include "actors/app/interrupts.hpp"
#include "actors/app/progress_screen.hpp"
#include "actors/app/progress_text.hpp"
#include "actors/sinks/text_table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <iostream>

namespace spillway::detail {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

/// How often the main thread looks for an interrupt, and for the progress.
constexpr milliseconds slice{50}, between_looks{500};

void say(const std::string& text) { std::cerr << text << std::flush; }

screen_size size_of_terminal() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_col, size.ws_row};
}

bool set_in_environment(const char* name) {
  const auto* value = std::getenv(name);
  return value && *value;
}

/// True if a block can be redrawn.
bool can_redraw() {
  const auto* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) && kind && std::string_view{kind} != "dumb";
}

/// Shows the progress of a job on stderr: a block that is redrawn, or a line a change.
class display {
 public:
  display(const execution_plan& plan, bool quiet)
      : text_(plan),
        screen_(!set_in_environment("NO_COLOR")),
        quiet_(quiet),
        redraws_(!quiet && can_redraw()),
        shared_(isatty(STDOUT_FILENO)) {
    // Rows that are printed on the same terminal would come into the block: it makes way for them and does not come back.
    if (redraws_ && shared_) before_first_print([this] { give_way(); });
  }
  ~display() { before_first_print({}); }
  display(const display&) = delete;
  display& operator=(const display&) = delete;

  bool quiet() const noexcept { return quiet_; }

  void show(const job_view& job, milliseconds elapsed) {
    text_.update(job, elapsed);
    const auto draw = [this] { say(screen_.draw(text_.lines(), size_of_terminal())); };
    if (redraws_) return shared_ ? unless_printed(draw) : draw();
    for (const auto& line : text_.changes()) say(line + "\n");
  }

  /// Above the block, as `note`, also if quiet.
  void warn(const std::string& line) { say((quiet_ ? "" : screen_.clear()) + "warning: " + line + "\n"); }

  /// Above the block, which goes on below.
  void note(const std::string& line) {
    if (!quiet_) say(screen_.clear() + line + "\n");
  }

 private:
  void give_way() {
    say(screen_.clear());
    redraws_ = false;
  }

  progress_text text_;
  progress_screen screen_;
  bool quiet_;
  std::atomic<bool> redraws_;
  /// Rows may be printed on the same terminal.
  bool shared_;
};

/// Waits for the job's end and shows its progress. A look can take as long as a task is busy, so another thread takes it: this
/// one must see an interrupt at once.
class watch {
 public:
  watch(job& j, const std::string& name, bool quiet, clock::time_point began, log_lines& log)
      : job_(j), name_(name), display_(j.plan(), quiet), began_(began), log_(log) {}

  /// Throws `job_failed`.
  job_phase until_end() try {
    const interrupts interrupts;
    for (auto next = began_ + between_looks;;) {
      const auto phase = job_.wait_for(slice);
      show_log();
      if (phase == job_phase::finished || phase == job_phase::cancelled) return end(phase);
      if (interrupts.any() && !cancelled_) cancel();
      if (!display_.quiet() && clock::now() >= next && look()) next = clock::now() + between_looks;
    }
  } catch (const job_failed&) {
    show_last(job_phase::failed);
    throw;
  }

 private:
  milliseconds elapsed() const { return std::chrono::duration_cast<milliseconds>(clock::now() - began_); }

  /// True if a look has come to its end.
  bool look() {
    if (!look_.valid() && !begin_look()) return false;
    if (look_.wait_for(milliseconds{0}) != std::future_status::ready) return false;
    display_.show(look_.get(), elapsed());
    return true;
  }

  /// False if there is no thread for it now.
  bool begin_look() try {
    look_ = std::async(std::launch::async, [this] { return job_.inspect(); });
    return true;
  } catch (const std::system_error&) {
    return false;
  }

  void cancel() {
    cancelled_ = true;
    job_.cancel();
    display_.note("Cancelling job '" + name_ + "': nothing is kept to resume from. Ctrl-C again ends the program at once.");
  }

  job_phase end(job_phase phase) {
    show_last(phase);
    if (!display_.quiet()) say(end_text(name_, phase, elapsed()) + "\n");
    return phase;
  }

  void show_log() {
    for (const auto& line : log_.take()) display_.warn(line);
  }

  void show_last(job_phase phase) {
    if (look_.valid()) look_.get();
    show_log();
    auto last = job_.inspect();
    last.phase = phase;
    if (!display_.quiet()) display_.show(last, elapsed());
    for (const auto& line : refused_text(last)) display_.warn(line);
  }

  job& job_;
  const std::string& name_;
  display display_;
  clock::time_point began_;
  log_lines& log_;
  std::future<job_view> look_;
  bool cancelled_ = false;
};

}  // namespace

job_phase watch_job(job& j, const std::string& name, bool quiet, clock::time_point began, log_lines& log) {
  return watch{j, name, quiet, began, log}.until_end();
}

}  // namespace spillway::detail
