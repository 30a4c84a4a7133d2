#include "actors/app/app.hpp"

#include "actors/app/command_line.hpp"
#include "actors/caf/watch.hpp"
#include "actors/pipeline.hpp"

#include <iostream>

namespace spillway::detail {
namespace {

using build_function = std::function<void(pipeline&, const params&)>;

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

int run(const pipeline& p, const command_line& line) {
  if (line.verbose) say(explain(p, line.how));
  const auto began = std::chrono::steady_clock::now();
  const auto log = std::make_shared<log_lines>();
  auto how = line.how;
  how.log = [log](const std::string& text) { log->add(text); };
  try {
    auto j = start(p, how);
    return watch_job(j, line.how.name, line.quiet, began, *log) == job_phase::finished ? done : interrupted;
  } catch (const pipeline_error&) {
    throw;
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
