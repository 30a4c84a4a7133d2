#include "actors/app/interrupts.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using spillway::interrupts;

namespace {

/// The exit code of a child process that does `f`, or minus the signal that ended it.
template <class F>
int outcome_of(F f) {
  const auto child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("the first interrupt is counted") {
  CHECK(outcome_of([] {
          const interrupts i;
          if (i.any()) _exit(1);
          raise(SIGINT);
          _exit(i.any() ? 3 : 2);
        }) == 3);
}

TEST_CASE("the second interrupt ends the program with 130") {
  CHECK(outcome_of([] {
          const interrupts i;
          raise(SIGINT);
          raise(SIGINT);
        }) == 130);
}

TEST_CASE("requests to end and hang-ups count as interrupts") {
  for (const auto number : {SIGTERM, SIGHUP})
    CHECK(outcome_of([number] {
            signal(number, SIG_DFL);
            const interrupts i;
            raise(number);
            _exit(i.any() ? 3 : 2);
          }) == 3);
  CHECK(outcome_of([] {
          signal(SIGTERM, SIG_DFL);
          const interrupts i;
          raise(SIGINT);
          raise(SIGTERM);
        }) == 130);
}

TEST_CASE("a terminal that goes sends two hang-ups, which count as one") {
  CHECK(outcome_of([] {
          signal(SIGHUP, SIG_DFL);
          const interrupts i;
          raise(SIGHUP);
          raise(SIGHUP);
          _exit(i.any() ? 3 : 2);
        }) == 3);
}

TEST_CASE("afterwards interrupts are handled as before") {
  CHECK(outcome_of([] {
          { const interrupts i; }
          raise(SIGINT);
        }) == -SIGINT);
}

TEST_CASE("one that was handled before does not count again") {
  CHECK(outcome_of([] {
          {
            const interrupts i;
            raise(SIGINT);
          }
          const interrupts i;
          _exit(i.any() ? 1 : 0);
        }) == 0);
}

TEST_CASE("ignored interrupts stay ignored") {
  CHECK(outcome_of([] {
          signal(SIGINT, SIG_IGN);
          const interrupts i;
          raise(SIGINT);
          raise(SIGINT);
          _exit(i.any() ? 1 : 0);
        }) == 0);
}
