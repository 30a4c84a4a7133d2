#include "scheduler/job_state.hpp"

#include <doctest/doctest.h>

using namespace spillway;

namespace {

job_state job_of(std::uint64_t actors) {
  job_state s{"j"};
  for (std::uint64_t a = 1; a <= actors; ++a) s.started(a);
  return s;
}

const subtask_failed report{{vertex_id{2}, 3}, "parse", "7", "no number"};

}  // namespace

TEST_CASE("a job has finished when all of its actors have finished and are gone") {
  auto s = job_of(2);
  CHECK(s.phase() == job_phase::running);
  s.finished(1);
  CHECK_FALSE(s.gone(1, "one", ""));
  CHECK_FALSE(s.ended());
  s.finished(2);
  CHECK(s.phase() == job_phase::running);
  CHECK_FALSE(s.gone(2, "two", ""));
  CHECK(s.ended());
  CHECK(s.phase() == job_phase::finished);
  CHECK(s.error() == "");
}

TEST_CASE("the first failure stops all others and is the one that counts") {
  auto s = job_of(3);
  CHECK(s.failed(report));
  CHECK(s.phase() == job_phase::failing);
  CHECK_FALSE(s.failed({{vertex_id{1}, 0}, "other", "", "too late"}));
  CHECK_FALSE(s.cancelled());
  CHECK_FALSE(s.gone(1, "one", "killed"));
  s.finished(2);
  CHECK_FALSE(s.gone(2, "two", ""));
  CHECK(s.phase() == job_phase::failing);
  CHECK_FALSE(s.gone(3, "three", "killed"));
  CHECK(s.phase() == job_phase::failed);
  CHECK(s.error() == "step 'parse' of job 'j' failed in subtask 3 on row 7\n  note: no number");
}

TEST_CASE("a failure that is not about a row names none") {
  CHECK(failure_text("j", {{vertex_id{0}, 0}, "read", "", "file gone"}) ==
        "step 'read' of job 'j' failed in subtask 0\n  note: file gone");
}

TEST_CASE("a cancelled job is cancelled when all of its actors are gone, whatever fails meanwhile") {
  auto s = job_of(2);
  CHECK(s.cancelled());
  CHECK_FALSE(s.cancelled());
  CHECK(s.phase() == job_phase::cancelling);
  CHECK_FALSE(s.failed(report));
  CHECK_FALSE(s.gone(1, "one", "killed"));
  CHECK_FALSE(s.gone(2, "two", "killed"));
  CHECK(s.phase() == job_phase::cancelled);
  CHECK(s.error() == "");
}

TEST_CASE("an actor that goes unasked fails the job by its name") {
  auto s = job_of(2);
  CHECK(s.gone(1, "task 'parse' (subtask 3)", "killed"));
  CHECK(s.phase() == job_phase::failing);
  CHECK_FALSE(s.gone(2, "two", "stopped"));
  CHECK(s.phase() == job_phase::failed);
  CHECK(s.error() == "task 'parse' (subtask 3) of job 'j' ended unexpectedly\n  note: killed");
}
