#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

#include <map>
#include <numeric>

using namespace spillway;
using namespace spillway::tests;

namespace {

constexpr number count_of_rows = 60;

template <class T>
auto to(std::vector<T>& out) {
  return to_vector(out);
}

/// What `build` writes, sorted, in a random order of actors.
template <class Build>
numbers written(Build build, std::uint32_t seed) {
  std::mt19937 random{seed};
  deterministic d;
  auto how = deterministic::tight();
  how.parallelism = 1 + random() % 3;
  how.permits = 1 + random() % 3;
  how.credit = 1 + random() % 3;
  if (random() % 3 == 0) how.buffer_timeout = std::chrono::milliseconds{10};
  numbers out;
  pipeline p;
  build(p, out);
  auto& j = d.start(p, how);
  while (d.step(random) || d.scheduler.trigger_timeout()) continue;
  REQUIRE(j.wait() == job_phase::finished);
  return sorted(std::move(out));
}

template <class Build>
void always(Build build, const numbers& expected) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    REQUIRE(written(build, seed) == sorted(expected));
  }
}

template <class F>
numbers from_each(F f) {
  numbers all;
  for (number x = 0; x < count_of_rows; ++x) f(x, all);
  return all;
}

const one_by_one source{count_of_rows};

/// The sum so far of the rows of each key, which does not depend on their order for the last row of the key alone.
number sum_of_last(const numbers& values) { return std::accumulate(values.begin(), values.end(), number{0}); }

}  // namespace

TEST_CASE("a union has the rows of both in any order") {
  always(
      [](pipeline& p, numbers& out) {
        const auto a = p.read("a", source);
        const auto b = p.read("b", from_vector<number>{.rows = {1000, 1001, 1002}, .batch_rows = 1});
        a.map([](number x) { return -x; }).union_with("all", a, b).write(to(out));
      },
      [] {
        auto all = from_each([](number x, numbers& all) { all.push_back(x), all.push_back(-x); });
        for (number x : {1000, 1001, 1002}) all.push_back(x);
        return all;
      }());
}

TEST_CASE("two branches of one stream both see every row") {
  always(
      [](pipeline& p, numbers& out) {
        const auto a = p.read("a", source);
        a.filter("even", [](number x) { return x % 2 == 0; }).write(to(out));
        a.key_by([](number x) { return x % 4; })
            .aggregate("sum", sum(itself), [](number k, number s) { return 1000 * k + s; })
            .write(to(out));
      },
      [] {
        auto all = from_each([](number x, numbers& all) {
          if (x % 2 == 0) all.push_back(x);
        });
        for (number k = 0; k < 4; ++k)
          all.push_back(1000 * k + sum_of_last(from_each([&](number x, numbers& some) {
                          if (x % 4 == k) some.push_back(x);
                        })));
        return all;
      }());
}

TEST_CASE("broadcast gives each row to each subtask once") {
  always(
      [](pipeline& p, numbers& out) {
        p.read("a", source).broadcast().map("m", [](number x) { return x + 1; }).parallelism(3).write(to(out));
      },
      from_each([](number x, numbers& all) { all.insert(all.end(), 3, x + 1); }));
}

TEST_CASE("large output with little credit loses nothing") {
  always(
      [](pipeline& p, numbers& out) {
        p.read("a", source)
            .rebalance()
            .flat_map("many",
                      [](number x, spillway::out<block>& to) {
                        for (number i = 0; i < x % 4; ++i) to(block_of(10 * x + i));
                      })
            .key_by([](const block& b) { return b.value % 10; })
            .reduce("same", [](const block&, const block& b) { return b; })
            .map("value", [](const block& b) { return b.value; })
            .write(to(out));
      },
      from_each([](number x, numbers& all) {
        for (number i = 0; i < x % 4; ++i) all.push_back(10 * x + i);
      }));
}

TEST_CASE("three exchanges by key in a row keep the rows of each key together and in order") {
  always(
      [](pipeline& p, numbers& out) {
        p.read("a", from_vector<number>{.rows = from_each([](number x, numbers& all) { all.push_back(x); }), .batch_rows = 3})
            .key_by([](number x) { return x % 3; })
            .running("first", count(), [](number k, number n) { return 3 * n + k; })
            .key_by([](number x) { return x % 3; })
            .running("second", sum(itself), [](number k, number s) { return 3 * s + k; })
            .key_by([](number x) { return x % 3; })
            .running("third", max(itself), [](number, std::optional<number> m) { return *m; })
            .write(to(out));
      },
      [] {
        std::map<number, number> n, s, m;
        return from_each([&](number x, numbers& all) {
          const auto k = x % 3;
          const auto first = 3 * ++n[k] + k;
          const auto second = 3 * (s[k] += first) + k;
          all.push_back(m[k] = std::max(m[k], second));
        });
      }());
}

TEST_CASE("rows of one key keep their order from one subtask to another, in any order of actors") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random{seed};
    deterministic d;
    std::vector<std::pair<number, number>> out;
    pipeline p;
    p.read("a", from_vector<number>{.rows = from_each([](number x, numbers& all) { all.push_back(x); }), .batch_rows = 2})
        .key_by([](number x) { return x % 5; })
        .reduce("same", [](number, number x) { return x; })
        .map("pair",
             [](number x) {
               return std::pair{x % 5, x};
             })
        .write(to(out));
    auto& j = d.start(p);
    d.settle(random);
    CHECK(j.wait() == job_phase::finished);
    std::map<number, number> last;
    for (const auto& [k, x] : out) {
      REQUIRE((!last.contains(k) || last[k] < x));
      last[k] = x;
    }
    CHECK(out.size() == count_of_rows);
  }
}
