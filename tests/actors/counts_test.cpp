#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

#include <map>
#include <numeric>

using namespace spillway;
using namespace spillway::tests;

namespace {

using counts = std::vector<keyed<number, number>>;

/// 1 to `n` with key i mod 3: the rows themselves, and how many there are of each key.
struct counted {
  numbers rows;
  counts by_key;

  pipeline job(number n) {
    pipeline p;
    const auto all =
        p.read("numbers", generate(static_cast<std::uint64_t>(n), [](std::uint64_t i) { return static_cast<number>(i + 1); }));
    all.write("rows", to_vector(rows));
    all.key_by([](number i) { return i % 3; }).aggregate("counts", count()).write("by_key", to_vector(by_key));
    return p;
  }

  void check(number n) {
    REQUIRE(rows.size() == static_cast<std::size_t>(n));
    REQUIRE(std::accumulate(rows.begin(), rows.end(), number{0}) == n * (n + 1) / 2);
    std::sort(by_key.begin(), by_key.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    std::map<number, number> rows_of;
    for (number i = 1; i <= n; ++i) ++rows_of[i % 3];
    counts expected;
    for (const auto& [key, rows] : rows_of) expected.push_back({key, rows});
    REQUIRE(by_key == expected);
  }
};

options wide(std::uint32_t parallelism) {
  options o;
  o.parallelism = parallelism;
  o.threads = 2;
  return o;
}

}  // namespace

TEST_CASE("no row is lost at the end where subtasks are many and keys are few") {
  for (int i = 0; i < 50; ++i) {
    counted c;
    REQUIRE(run(c.job(10'007), wide(16)) == job_phase::finished);
    c.check(10'007);
  }
  counted c;
  run(c.job(10'007), wide(16));
  CHECK(std::accumulate(c.rows.begin(), c.rows.end(), number{0}) == 50'075'028);
  std::sort(c.by_key.begin(), c.by_key.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  CHECK(c.by_key == counts{{0, 3335}, {1, 3336}, {2, 3336}});
}

TEST_CASE("no row is lost at the end whatever the order in which the actors work") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    deterministic d;
    counted c;
    auto how = deterministic::tight();
    how.parallelism = 16;
    auto& j = d.start(c.job(10'007), how);
    d.settle(random);
    REQUIRE(j.wait() == job_phase::finished);
    c.check(10'007);
  }
}

TEST_CASE("a job may have more subtasks than rows, and no row at all") {
  for (number n : {0, 1, 2, 3, 5}) {
    CAPTURE(n);
    counted real, stepped;
    REQUIRE(run(real.job(n), wide(16)) == job_phase::finished);
    real.check(n);
    deterministic d;
    auto how = deterministic::tight();
    how.parallelism = 16;
    how.buffer_timeout = std::chrono::milliseconds{10};
    REQUIRE(d.start(stepped.job(n), how).wait() == job_phase::finished);
    stepped.check(n);
  }
}

TEST_CASE("an aggregate of the whole stream has one result, also of nothing") {
  for (number n : {0, 1, 100}) {
    std::vector<keyed<no_key, number>> out;
    pipeline p;
    p.read("numbers", one_by_one{n}).key_by().aggregate("rows", count()).write("out", to_vector(out));
    deterministic d;
    auto how = deterministic::tight();
    how.parallelism = 4;
    CHECK(d.start(p, how).wait() == job_phase::finished);
    REQUIRE(out.size() == 1);
    CHECK(out[0].value == n);
  }
}

TEST_CASE("three exchanges with the smallest memory there is come to their end") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    deterministic d;
    numbers out;
    pipeline p;
    p.read("numbers", one_by_one{1001})
        .rebalance()
        .map("a", [](number x) { return x; })
        .rebalance()
        .map("b", [](number x) { return x; })
        .rebalance()
        .write("out", to_vector(out));
    auto& j = d.start(p);
    d.settle(random);
    REQUIRE(j.wait() == job_phase::finished);
    REQUIRE(out.size() == 1001);
    REQUIRE(std::accumulate(out.begin(), out.end(), number{0}) == 500'500);
  }
}

TEST_CASE("one credit and all rows for one of many channels come to their end") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    deterministic d;
    counts out;
    pipeline p;
    p.read("numbers", one_by_one{1001})
        .key_by([](number) { return number{7}; })
        .aggregate("sum", sum(itself))
        .write("out", to_vector(out));
    auto how = deterministic::tight();
    how.parallelism = 8;
    auto& j = d.start(p, how);
    d.settle(random);
    REQUIRE(j.wait() == job_phase::finished);
    REQUIRE(out == counts{{7, 500'500}});
  }
}
