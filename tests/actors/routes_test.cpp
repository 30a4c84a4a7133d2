#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace spillway;
using namespace spillway::tests;

namespace {

/// Collects the rows of each subtask apart.
struct to_each {
  std::map<std::uint32_t, numbers>* rows;
  struct writer final : sink_writer<number> {
    explicit writer(numbers& rows) : rows(rows) {}
    void write(const batch_of<number>& b) override { rows.insert(rows.end(), b.rows().begin(), b.rows().end()); }
    numbers& rows;
  };
  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context& ctx) const {
    return std::make_unique<writer>((*rows)[ctx.subtask]);
  }
};

numbers up_to(number n) {
  numbers all;
  for (number x = 0; x < n; ++x) all.push_back(x);
  return all;
}

options of(std::uint32_t parallelism) {
  auto o = deterministic::tight();
  o.parallelism = parallelism;
  return o;
}

const from_vector<number> ten_thousand{.rows = up_to(10'000), .batch_rows = 2100};

}  // namespace

TEST_CASE("a stream used twice is read once") {
  deterministic d;
  pipeline p;
  numbers read, first, second;
  const auto in = p.read("in", ten_thousand).map("seen", [&](number x) { return read.push_back(x), x; });
  in.map("twice", [](number x) { return 2 * x; }).write(to_vector(first));
  in.write(to_vector(second));
  d.start(p, of(1)).wait();
  CHECK(read == up_to(10'000));
  CHECK(second == read);
  for (auto& x : first) x /= 2;
  CHECK(first == read);
}

TEST_CASE("broadcast gives each row to each subtask once, in order") {
  deterministic d;
  pipeline p;
  std::map<std::uint32_t, numbers> rows;
  p.read("in", ten_thousand).broadcast().write("out", to_each{&rows});
  d.start(p, of(3)).wait();
  CHECK(rows.size() == 3);
  for (const auto& [subtask, r] : rows) CHECK(r == up_to(10'000));
}

TEST_CASE("rebalance spreads the batches evenly while nobody is slow") {
  deterministic d;
  pipeline p;
  std::map<std::uint32_t, numbers> rows;
  p.read("in", one_by_one{300})
      .parallelism(1)
      .map("m", [](number x) { return x; })
      .parallelism(1)
      .rebalance()
      .write("out", to_each{&rows});
  d.start(p, of(3)).wait();
  REQUIRE(rows.size() == 3);
  numbers all;
  for (const auto& [subtask, r] : rows) {
    CHECK(r.size() >= 80);
    all.insert(all.end(), r.begin(), r.end());
  }
  CHECK(sorted(all) == up_to(300));
}

TEST_CASE("rebalance sends to the others while one consumer takes nothing") {
  deterministic d;
  pipeline p;
  std::map<std::uint32_t, numbers> rows;
  p.read("in", one_by_one{300}).parallelism(1).rebalance().write("out", to_each{&rows});
  d.start(p, of(3));
  while (d.step_without(d.task("out", 1)) && rows[0].size() + rows[2].size() < 200) continue;
  CHECK(rows[1].size() < 10);
  d.the_job().wait();
  CHECK(rows[0].size() + rows[1].size() + rows[2].size() == 300);
}

TEST_CASE("all rows of a key meet in the one subtask that owns it") {
  deterministic d;
  pipeline p;
  std::map<std::uint32_t, numbers> rows;
  p.read("in", one_by_one{300})
      .key_by([](number x) { return x % 20; })
      .reduce("same", [](number, number x) { return x; })
      .write("out", to_each{&rows});
  d.start(p, of(4)).wait();
  const key_groups groups{128, 4};
  std::size_t all = 0;
  for (const auto& [subtask, r] : rows) {
    all += r.size();
    for (auto x : r) CHECK(groups.owner_of(key_hash(x % 20)) == subtask);
  }
  CHECK(all == 300);
}

TEST_CASE("neighbours of equal parallelism keep rows in their own subtask") {
  deterministic d;
  pipeline p;
  std::map<std::uint32_t, numbers> rows;
  const auto in = p.read("in", one_by_one{100});
  in.write("out", to_each{&rows});
  in.write("other", to_callback{[](number) {}});
  d.start(p, of(2)).wait();
  for (const auto& [subtask, r] : rows) {
    CHECK(r.size() == 50);
    for (auto x : r) CHECK(x % 2 == subtask);
  }
}
