#include "tests/actors/jobs.hpp"

#include "actors/actor.hpp"
#include "scheduler/plan.hpp"

#include <doctest/doctest.h>
#include <caf/all.hpp>

#include <atomic>
#include <future>
#include <numeric>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;

namespace {

using sums = std::vector<keyed<number, number>>;

pipeline summing(number rows, sums& out) {
  pipeline p;
  p.read("in", generate(static_cast<std::uint64_t>(rows), [](std::uint64_t i) { return static_cast<number>(i); }))
      .key_by([](number x) { return x % 10; })
      .aggregate("sum", sum(itself))
      .write("out", to_vector(out));
  return p;
}

number total(const sums& all) {
  return std::accumulate(all.begin(), all.end(), number{0}, [](number n, const auto& k) { return n + k.value; });
}

pipeline endless(std::atomic<number>* rows = nullptr) {
  pipeline p;
  p.read("in", generate_forever([](std::uint64_t i) { return static_cast<number>(i); }))
      .rebalance()
      .write("out", to_callback{[rows](std::span<const number> r) {
               if (rows) *rows += static_cast<number>(r.size());
             }});
  return p;
}

struct host {
  host() { config.set("scheduler.max-threads", 2); }
  caf::actor_system_config config;
  caf::actor_system system{config};
};

options wide() {
  options o;
  o.parallelism = 3;
  o.threads = 2;
  return o;
}

}  // namespace

TEST_CASE("a job runs in the host's own actor system and leaves nothing there") {
  host h;
  const auto before = h.system.registry().running();
  sums out;
  {
    auto j = start(summing(100'000, out), wide(), h.system);
    CHECK(j.wait() == job_phase::finished);
    CHECK(j.wait() == job_phase::finished);
    CHECK(j.inspect().phase == job_phase::finished);
  }
  CHECK(total(out) == 4'999'950'000);
  h.system.registry().await_running_count_equal(before);
}

TEST_CASE("several jobs at once do not know of one another, in one actor system or in their own") {
  host h;
  std::vector<sums> outs(4);
  std::vector<job> jobs;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto p = summing(50'000 * static_cast<number>(i + 1), outs[i]);
    jobs.push_back(i % 2 ? start(p, wide()) : start(p, wide(), h.system));
  }
  auto lasting = start(endless(), wide(), h.system);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(jobs[i].wait() == job_phase::finished);
    const auto n = 50'000 * static_cast<number>(i + 1);
    CHECK(total(outs[i]) == n * (n - 1) / 2);
  }
  CHECK(lasting.wait_for(0ms) == job_phase::running);
}

TEST_CASE("one pipeline can be started again and again") {
  sums out;
  const auto p = summing(1000, out);
  for (int i = 0; i < 3; ++i) run(p, wide());
  CHECK(out.size() == 30);
  CHECK(total(out) == 3 * 499'500);
}

TEST_CASE("the destructor of a job cancels it and waits; a job that was moved from is none") {
  std::atomic<number> rows{0};
  {
    auto j = start(endless(&rows), wide());
    while (rows == 0) continue;
    job other = std::move(j);
    CHECK(other.wait_for(0ms) == job_phase::running);
    sums out;
    auto third = start(summing(10, out), wide());
    third = std::move(other);
    CHECK(third.wait_for(0ms) == job_phase::running);
  }
  const auto after = rows.load();
  CHECK(rows == after);
}

TEST_CASE("a job is waited for and cancelled from several threads") {
  auto j = start(endless(), wide());
  std::vector<std::future<job_phase>> waiting;
  for (int i = 0; i < 3; ++i) waiting.push_back(std::async(std::launch::async, [&] { return j.wait(); }));
  CHECK(j.wait_for(1ms) == job_phase::running);
  j.cancel();
  for (auto& w : waiting) CHECK(w.get() == job_phase::cancelled);
}

TEST_CASE("a running job is inspected, and an ended one shows how it ended") {
  std::atomic<number> rows{0};
  auto how = wide();
  how.name = "j";
  auto j = start(endless(&rows), how);
  while (rows < 100'000) continue;
  const auto v = j.inspect();
  CHECK((v.name == "j" && v.phase == job_phase::running));
  REQUIRE(v.tasks.size() == 6);
  std::uint64_t read = 0, written = 0;
  for (std::uint32_t subtask = 0; subtask < 3; ++subtask) {
    CHECK((v.tasks[subtask].name == "in" && v.tasks[subtask].id == subtask_id{vertex_id{0}, subtask, 1}));
    CHECK((v.tasks[3 + subtask].name == "out" && v.tasks[3 + subtask].id == subtask_id{vertex_id{1}, subtask, 1}));
    CHECK(v.tasks[subtask].outputs.size() == 3);
    CHECK(v.tasks[3 + subtask].queued.size() == 3);
    read += v.tasks[subtask].steps.at(0).rows_out;
    written += v.tasks[3 + subtask].steps.at(0).rows_in;
  }
  CHECK((read > 0 && written > 0));
  REQUIRE(v.partitions.size() == 3);
  for (const auto& p : v.partitions) CHECK(p.subpartitions.size() == 3);
  j.cancel();
  CHECK(j.wait() == job_phase::cancelled);

  sums out;
  auto k = start(summing(1000, out), how);
  CHECK(k.wait() == job_phase::finished);
  const auto last = k.inspect();
  CHECK(last.phase == job_phase::finished);
  std::uint64_t rows_in = 0, keys = 0, results = 0, read_rows = 0;
  for (const auto& t : last.tasks) {
    CHECK(t.finished);
    CHECK_FALSE(t.blocked);
    read_rows += t.read_done;
    for (const auto& s : t.steps) {
      if (s.step == "sum") rows_in += s.rows_in, keys += s.keys;
      if (s.step == "out") results += s.rows_in;
    }
  }
  CHECK((rows_in == 1000 && keys == 10 && results == 10 && read_rows == 1000));
  CHECK(last.partitions.empty());
  CHECK(k.inspect("sum").size() == 3);
  CHECK_THROWS_WITH_AS(k.inspect("lost"), "there is no step 'lost' in job 'j'", query_error);
  CHECK(k.plan().vertices.size() == 2);
}

TEST_CASE("a reader on a thread of its own gives all rows, and its progress is seen") {
  numbers out;
  pipeline p;
  p.read("in", one_by_one_blocking{{3000}}).write("out", to_vector(out));
  auto j = start(p, wide());
  CHECK(j.wait() == job_phase::finished);
  CHECK(out.size() == 3000);
  CHECK(sorted(out).back() == 2999);
}

TEST_CASE("a mistake in options or pipeline is told before anything runs") {
  pipeline empty;
  CHECK_THROWS_WITH_AS(start(empty), "the pipeline has no steps\n  help: begin with p.read(...)", pipeline_error);
  CHECK_THROWS_AS(run(empty), pipeline_error);
  CHECK_THROWS_AS(explain(empty), pipeline_error);
}

TEST_CASE("whoever inspects or asks while a job ends gets an answer") {
  for (int round = 0; round < 100; ++round) {
    sums out;
    auto j = start(summing(1'000, out));
    auto beside = std::async(std::launch::async, [&] {
      for (int i = 0; i < 20; ++i) {
        (void)j.inspect();
        try {
          (void)j.ask<std::optional<number>>("sum", 3);
        } catch (const query_error&) {  // it has ended, or has not begun
        }
      }
    });
    CHECK(j.wait() == job_phase::finished);
    beside.get();
  }
}
