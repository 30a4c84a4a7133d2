#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

using namespace spillway;
using namespace spillway::tests;

TEST_CASE("a job is frozen half-way, looked at without a message, and goes on as if nothing had been") {
  deterministic d;
  pipeline p;
  std::vector<keyed<number, number>> out;
  p.read("numbers", one_by_one{100})
      .key_by([](number x) { return x % 3; })
      .running("sum", sum(itself))
      .rebalance()
      .write("out", to_vector(out));
  auto how = deterministic::tight();
  how.parallelism = 1;
  d.start(p, how);

  std::uint64_t read = 0, summed = 0, given = 0;
  std::size_t different = 0;
  do {
    const auto numbers = d.step_in("numbers"), sum = d.step_in("sum"), sink = d.step_in("out");
    if (state_of<task_actor>(d.task("numbers"))) {
      REQUIRE(numbers.rows_out >= read);
      REQUIRE(numbers.rows_out >= sum.rows_in);
      read = numbers.rows_out;
    }
    if (state_of<task_actor>(d.task("sum"))) {
      REQUIRE(sum.rows_in >= summed);
      REQUIRE(sum.rows_out <= sum.rows_in);
      different += sum.rows_in > summed;
      summed = sum.rows_in;
      number expected = 0;
      for (number x = 1; x < static_cast<number>(summed); x += 3) expected += x;
      REQUIRE(d.value<number>("sum", 1).value_or(0) == expected);
    }
    if (state_of<task_actor>(d.task("out"))) {
      REQUIRE(sink.rows_in >= given);
      REQUIRE(sink.rows_in == out.size());
      given = sink.rows_in;
    }
  } while (d.step());
  // The last row and the end may come in one step.
  CHECK(different >= 98);
  CHECK((read >= 98 && given >= 98));
  CHECK(d.the_job().wait() == job_phase::finished);
  CHECK(d.the_job().inspect("sum").at(0).steps.at(0).rows_in == 100);
  CHECK(out.size() == 100);
}

TEST_CASE("after some steps the queues, permits and credit are what they must be") {
  deterministic d;
  pipeline p;
  p.read("numbers", one_by_one{100}).map("blocks", block_of).rebalance().write("out", to_callback{[](const block&) {}});
  auto how = deterministic::tight();
  how.parallelism = 1;
  how.permits = 3;
  how.credit = 2;
  d.start(p, how);
  // The sink has not asked for anything yet.
  const auto queued = [&] {
    const auto subs = d.partitions().at(0).subpartitions;
    return subs.empty() ? 0 : subs[0].queued;
  };
  while (queued() < 4 || !d.view_of("numbers").blocked) REQUIRE(d.step_without(d.task("out")));
  auto partition = d.partitions().at(0).subpartitions.at(0);
  CHECK_FALSE(partition.opened);
  CHECK((partition.queued == 1 + 3 && partition.rows == 0));
  auto source = d.view_of("numbers");
  CHECK((source.outputs.at(0).permits == 0 && source.outputs.at(0).queued == 1));
  CHECK(source.steps.at(1).rows_out == 4);

  for (int i = 0; i < 40; ++i) d.step_without(d.task("out"));
  partition = d.partitions().at(0).subpartitions.at(0);
  CHECK(partition.opened);
  CHECK((partition.rows > 0 && partition.credit == 0));
  d.settle();
  CHECK(d.the_job().wait() == job_phase::finished);
}

namespace {

/// Per channel: no more batches wait than were permitted, or credited; per edge: no more are under way than both together.
void check_bounds(const deterministic& d, const options& how) {
  for (const auto& partition : d.partitions())
    for (const auto& sub : partition.subpartitions) {
      REQUIRE(sub.queued <= how.permits + 2);
      REQUIRE(sub.credit <= how.credit);
    }
  for (const auto& subtasks : d.actors().tasks)
    for (const auto& a : subtasks)
      if (auto* state = state_of<task_actor>(a)) {
        const auto v = state->view();
        for (const auto& o : v.outputs) {
          REQUIRE(o.permits <= how.permits);
          REQUIRE(o.queued <= 2);
        }
        for (auto queued : v.queued) REQUIRE(queued <= how.credit + 1);
      }
}

}  // namespace

TEST_CASE("no more batches are under way than permits and credit say, after any step, however slow the consumer") {
  for (std::uint32_t permits : {1u, 3u})
    for (std::uint32_t credit : {1u, 2u})
      for (std::uint32_t seed = 0; seed < 6; ++seed) {
        CAPTURE(permits);
        CAPTURE(credit);
        CAPTURE(seed);
        deterministic d;
        pipeline p;
        number written = 0;
        p.read("numbers", one_by_one{60})
            .flat_map("blocks",
                      [](number x, out<block>& to) {
                        for (int i = 0; i < 3; ++i) to(block_of(x));
                      })
            .rebalance()
            .write("out", to_callback{[&](const block&) { ++written; }});
        auto how = deterministic::tight();
        how.parallelism = 1;
        how.permits = permits;
        how.credit = credit;
        d.start(p, how);
        std::mt19937 random{seed};
        std::uint64_t most = 0;
        while (seed == 0 ? d.step_without(d.task("out")) : d.step(random)) {
          check_bounds(d, how);
          const auto from = d.view_of("blocks"), to = d.view_of("out");
          if (from.steps.empty() || to.steps.empty()) continue;
          const auto under_way = from.steps.at(1).rows_out - from.outputs.at(0).queued - to.steps.at(0).rows_in;
          // Two more may be in the sender's own hands: one call of user code overdraws.
          REQUIRE(under_way <= permits + credit + 2);
          most = std::max(most, under_way);
        }
        CHECK(most >= permits + credit);
        CHECK(written == 180);
        CHECK(d.the_job().wait() == job_phase::finished);
      }
}

TEST_CASE("the bounds hold on each of many channels") {
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    CAPTURE(seed);
    deterministic d;
    pipeline p;
    number written = 0;
    p.read("numbers", one_by_one{100})
        .map("blocks", block_of)
        .key_by([](const block& b) { return b.value % 7; })
        .reduce("last", [](const block&, const block& b) { return b; })
        .rebalance()
        .write("out", to_callback{[&](const block&) { ++written; }});
    auto how = deterministic::tight();
    how.parallelism = 3;
    d.start(p, how);
    std::mt19937 random{seed};
    while (d.step(random)) check_bounds(d, how);
    CHECK(written == 100);
  }
}
