#pragma once
// Gives the user's program its commands and options.
#include "actors/app/params.hpp"

#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace spillway {

class pipeline;

namespace detail {

int run_app(std::string_view name, int argc, char** argv, const std::function<void(pipeline&, const params&)>& build);

}  // namespace detail

/// What a program's `main` returns: does what the command line says with the pipeline that `build` composes.
///
/// The commands are `run`, `explain` and `help`; `--help` shows them with the parameters that `build` reads and all options. The
/// result is the exit code: 0 done, 1 the job failed, 2 wrong use, 130 interrupted. Progress and errors go to stderr, what was
/// asked for to stdout.
///
/// For `--help`, and to say which parameters are missing, `build` is called with required parameters that are empty; what it
/// throws then is ignored, and nothing runs. While the job runs SIGINT, SIGTERM and SIGHUP are
/// handled: once cancels the job, twice ends the program.
/// `start` and `run` do none of all this: they are for programs that have a command line of their own.
template <class F>
int app(const char* name, int argc, char** argv, F build) {
  static_assert(std::is_invocable_v<F&, pipeline&, const params&>,
                "app() needs a function of the pipeline to compose and its parameters: (sw::pipeline&, const sw::params&)");
  return detail::run_app(name, argc, argv, std::move(build));
}

}  // namespace spillway
