#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

using namespace spillway;
using namespace spillway::tests;

namespace {

void discard(const block&) {}

/// Two sources, two keyed subtasks, much output, two sinks.
pipeline large_job() {
  pipeline p;
  p.read("numbers", one_by_one{100'000})
      .key_by([](number x) { return x % 5; })
      .running("sum", sum(itself))
      .flat_map("blocks",
                [](const keyed<number, number>& k, out<block>& to) {
                  for (int i = 0; i < 5; ++i) to(block_of(k.value));
                })
      .rebalance()
      .write("out", to_callback{discard});
  return p;
}

/// Runs the job for `n` steps, cancels it and sees it end without any time passing. True if a task was waiting for permits then.
bool cancel_after(const pipeline& p, int n, std::uint32_t seed) {
  CAPTURE(n);
  deterministic d;
  const auto before = d.running();
  auto& j = d.start(p);
  std::mt19937 random{seed};
  for (int i = 1; i < n; ++i) seed == 0 ? d.step() : d.step(random);
  bool blocked = false;
  for (const auto& subtasks : d.actors().tasks)
    for (const auto& a : subtasks)
      if (auto* state = state_of<task_actor>(a)) blocked = blocked || state->view().blocked;
  j.cancel();
  d.settle();
  REQUIRE(d.running() == before);
  REQUIRE(j.wait() == job_phase::cancelled);
  return blocked;
}

}  // namespace

TEST_CASE("a job is cancelled at once, after whatever step") {
  const auto p = large_job();
  int blocked = 0;
  for (int n = 1; n <= 2000; ++n) blocked += cancel_after(p, n, 0);
  CHECK(blocked > 200);
}

TEST_CASE("a job is cancelled at once, after whatever step in whatever order") {
  const auto p = large_job();
  int blocked = 0;
  for (int n = 1; n <= 2000; n += 7) blocked += cancel_after(p, n, static_cast<std::uint32_t>(n));
  CHECK(blocked > 20);
}

TEST_CASE("a job whose source never has rows is cancelled at once") {
  pipeline p;
  p.read("none", scripted{})
      .key_by([](number x) { return x; })
      .running("count", count())
      .write("out", to_callback{[](const auto&) {}});
  for (int n = 1; n < 100; ++n) cancel_after(p, n, 0);
}

TEST_CASE("a job with readers of their own is cancelled at once") {
  pipeline p;
  p.read("numbers", one_by_one_blocking{{1000}}).map("blocks", block_of).rebalance().write("out", to_callback{discard});
  for (int n = 1; n < 300; ++n) cancel_after(p, n, 0);
}

TEST_CASE("cancelling has no effect on a job that has ended, and a cancelled job stays cancelled") {
  deterministic d;
  pipeline p;
  p.read("numbers", one_by_one{3}).write("out", to_callback{[](number) {}});
  auto& j = d.start(p);
  CHECK(j.wait() == job_phase::finished);
  j.cancel();
  d.settle();
  CHECK(j.wait() == job_phase::finished);

  deterministic other;
  auto& k = other.start(large_job());
  k.cancel();
  k.cancel();
  CHECK(k.wait() == job_phase::cancelled);
  CHECK(k.inspect().phase == job_phase::cancelled);
}

TEST_CASE("a job that is not deployed yet can be cancelled") {
  deterministic d;
  pipeline p = large_job();
  const auto before = d.running();
  auto j = spillway::start(p, deterministic::tight(), d.system);
  j.cancel();
  CHECK(j.wait() == job_phase::cancelled);
  d.settle();
  CHECK(d.running() == before);
}

TEST_CASE("the job's destructor cancels it") {
  deterministic d;
  const auto before = d.running();
  {
    auto j = spillway::start(large_job(), deterministic::tight(), d.system);
    d.steps(300);
    CHECK(d.running() > before);
    auto moved = std::move(j);
    d.steps(300);
    CHECK(d.running() > before);
  }
  d.settle();
  CHECK(d.running() == before);
}
