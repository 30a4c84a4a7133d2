#include "actors/app.hpp"

#include "actors/command_line.hpp"
#include "actors/interrupts.hpp"
#include "actors/pipeline.hpp"
#include "actors/progress_screen.hpp"
#include "actors/progress_text.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <iostream>

namespace spillway::detail {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;
using build_function = std::function<void(pipeline&, const params&)>;

/// How often the main thread looks for an interrupt, and for the progress.
constexpr milliseconds slice{50}, between_looks{500};

enum exit_code : int { done = 0, job_has_failed = 1, wrong_use = 2, interrupted = 130 };

/// What build reads, as far as it comes without real parameters.
std::vector<parameter_use> uses_of(const build_function& build) {
  const auto blank = params::blank();
  try {
    pipeline p;
    build(p, blank);
  } catch (...) {
  }
  return blank.uses();
}

void compose(pipeline& p, std::string_view program, const command_line& line, const build_function& build) {
  const params args{line.parameters};
  try {
    build(p, args);
  } catch (const missing_parameter& e) {
    const auto uses = uses_of(build);
    check_parameters(program, args, uses);
    const std::string command = line.what == command::run ? "run" : "explain";
    throw pipeline_error(std::string{e.what()} + "\n  help: " + usage_text(program, command, uses));
  }
  check_parameters(program, args, args.uses());
}

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

/// True if a block can be redrawn: rows that a sink writes to the same terminal would come into it.
bool can_redraw(const execution_plan& plan) {
  const auto* kind = std::getenv("TERM");
  if (!isatty(STDERR_FILENO) || !kind || std::string_view{kind} == "dumb") return false;
  const auto& steps = plan.graph.steps;
  const bool rows_on_screen = std::any_of(steps.begin(), steps.end(), [](const step& s) {
    return s.kind == step_kind::sink && (s.verb + s.detail).find("stdout") != std::string::npos;
  });
  return !rows_on_screen || !isatty(STDOUT_FILENO);
}

/// Shows the progress of a job on stderr: a block that is redrawn, or a line a change.
class display {
 public:
  display(const execution_plan& plan, bool quiet)
      : text_(plan), screen_(!set_in_environment("NO_COLOR")), quiet_(quiet), redraws_(!quiet && can_redraw(plan)) {}

  bool quiet() const noexcept { return quiet_; }

  void show(const job_view& job, milliseconds elapsed) {
    text_.update(job, elapsed);
    if (redraws_) return say(screen_.draw(text_.lines(), size_of_terminal()));
    for (const auto& line : text_.changes()) say(line + "\n");
  }

  /// Above the block, which goes on below.
  void note(const std::string& line) {
    if (!quiet_) say(screen_.clear() + line + "\n");
  }

 private:
  progress_text text_;
  progress_screen screen_;
  bool quiet_, redraws_;
};

/// Waits for the job's end and shows its progress. A look can take as long as a task is busy, so another thread takes it: this
/// one must see an interrupt at once.
class watch {
 public:
  watch(job& j, const std::string& name, bool quiet) : job_(j), name_(name), display_(j.plan(), quiet) {}

  /// Throws `job_failed`.
  job_phase until_end() try {
    const interrupts interrupts;
    for (auto next = began_ + between_looks;;) {
      const auto phase = job_.wait_for(slice);
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
    if (!look_.valid()) look_ = std::async(std::launch::async, [this] { return job_.inspect(); });
    if (look_.wait_for(milliseconds{0}) != std::future_status::ready) return false;
    display_.show(look_.get(), elapsed());
    return true;
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

  void show_last(job_phase phase) {
    if (look_.valid()) look_.get();
    if (display_.quiet()) return;
    auto last = job_.inspect();
    last.phase = phase;
    display_.show(last, elapsed());
  }

  job& job_;
  const std::string& name_;
  display display_;
  const clock::time_point began_ = clock::now();
  std::future<job_view> look_;
  bool cancelled_ = false;
};

int run(const pipeline& p, const command_line& line) {
  if (line.verbose) say(explain(p, line.how));
  auto j = start(p, line.how);
  try {
    return watch{j, line.how.name, line.quiet}.until_end() == job_phase::finished ? done : interrupted;
  } catch (const std::exception& e) {
    say(std::string{"error: "} + e.what() + "\n");
    return job_has_failed;
  }
}

}  // namespace

int run_app(std::string_view name, int argc, char** argv, const build_function& build) try {
  if (argc < 2) {
    say(help_text(name, uses_of(build)));
    return wrong_use;
  }
  const auto line = read_command_line(name, {argv + 1, argv + argc});
  if (line.what == command::help) {
    std::cout << help_text(name, uses_of(build)) << std::flush;
    return done;
  }
  pipeline p;
  compose(p, name, line, build);
  if (line.what == command::run) return run(p, line);
  std::cout << explain(p, line.how) << std::flush;
  return done;
} catch (const std::exception& e) {
  say(std::string{"error: "} + e.what() + "\n");
  return wrong_use;
}

}  // namespace spillway::detail
