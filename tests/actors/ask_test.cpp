#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;

namespace {

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const query_error& e) {
    return e.what();
  }
  return "no error";
}

std::string word(number x) { return x % 2 == 0 ? "even" : "odd"; }

}  // namespace

TEST_CASE("the value of a key is asked for by a literal or an integer") {
  deterministic d;
  pipeline p;
  const auto in = p.read("in", timed{{{0s, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}}});
  const auto discard = to_callback{[](const auto&) {}};
  in.key_by(word).running("sum", sum(itself)).map("plain", [](const auto& k) { return k.value; }).write("a", discard);
  in.key_by([](number x) { return static_cast<std::int32_t>(x % 3); })
      .reduce("last", [](number, number x) { return x; })
      .write("b", discard);
  in.key_by().running("all", count()).write("c", discard);
  auto how = deterministic::tight();
  how.name = "j";
  auto& j = d.start(p, how);
  d.settle();

  CHECK(j.ask<number>("sum", "even") == 30);
  CHECK(j.ask<number>("sum", std::string{"odd"}) == 25);
  CHECK(j.ask<std::optional<number>>("sum", "even") == 30);
  CHECK_FALSE(j.ask<std::optional<number>>("sum", "neither").has_value());
  CHECK(j.ask<number>("last", 1) == 10);
  CHECK(j.ask<number>("last", 2UL) == 8);
  CHECK(j.ask<number>("all", no_key{}) == 10);

  CHECK(error_of([&] { j.ask<number>("sum", "neither"); }) ==
        "step 'sum' has no value for this key (ask for a std::optional to allow that)");
  CHECK(error_of([&] { j.ask<number>("sum", 5); }) == "step 'sum' has keys of type std::string, but was asked with long");
  CHECK(error_of([&] { j.ask<number>("last", 1.0); }) == "step 'last' has keys of type int, but was asked with double");
  CHECK(error_of([&] { j.ask<double>("last", 1); }) == "step 'last' replies with long, but double was asked for");
  CHECK(error_of([&] { j.ask<number>("last", 1, std::string{"what"}); }) ==
        "step 'last' answers only with its value, but was asked a std::string");
  CHECK(error_of([&] { j.ask<number>("lost", 1); }) == "there is no step 'lost' in job 'j'\n  help: did you mean 'last'?");
  CHECK(error_of([&] { j.ask<number>("nothing like it", 1); }) == "there is no step 'nothing like it' in job 'j'");
  CHECK(error_of([&] { j.ask<number>("plain", 1); }) == "step 'plain' keeps nothing by key: it cannot be asked");
  CHECK(error_of([&] { j.ask<number>("in", 1); }) == "step 'in' keeps nothing by key: it cannot be asked");

  j.cancel();
  CHECK(j.wait() == job_phase::cancelled);
  CHECK(error_of([&] { j.ask<number>("sum", "even"); }) == "job 'j' has ended");
}

TEST_CASE("a step that has ended in a job that goes on says so") {
  deterministic d;
  pipeline p;
  p.read("short", one_by_one{5})
      .key_by([](number x) { return x; })
      .aggregate("sum", sum(itself))
      .write(to_callback{[](const auto&) {}});
  p.read("long", timed{}).write(to_callback{[](number) {}});
  auto& j = d.start(p);
  d.settle();
  CHECK(error_of([&] { j.ask<number>("sum", 1); }) == "step 'sum' is not running");
  CHECK(j.inspect().phase == job_phase::running);
  CHECK(j.inspect("sum").at(0).finished);
}

TEST_CASE("an aggregate is asked for its value so far") {
  deterministic d;
  pipeline p;
  std::vector<keyed<number, number>> out;
  p.read("in", one_by_one{1000}).key_by([](number x) { return x % 2; }).aggregate("sum", sum(itself)).write(to_vector(out));
  auto how = deterministic::tight();
  how.parallelism = 1;
  d.start(p, how);
  d.steps(400);
  const auto so_far = d.value<number>("sum", 1);
  REQUIRE(so_far.has_value());
  CHECK((*so_far > 0 && *so_far < 250'000));
  CHECK(out.empty());
  CHECK(d.the_job().wait() == job_phase::finished);
  CHECK(out.size() == 2);
}

namespace {

struct at_least {
  number bound = 0;
};
struct seen {
  number rows = 0;
  bool enough = false;
};

struct counting : keyed_operator<number, number, number> {
  void on_row(const number&, auto& ctx) { ctx.emit(++*rows); }
  seen on_query(const at_least& q) const {
    if (q.bound < 0) throw std::runtime_error("a bound is not negative");
    if (q.bound == 99) throw 99;
    const auto n = rows.find() ? *rows.find() : 0;
    return {n, n >= q.bound};
  }
  value_state<number> rows{this, "rows"};
};

}  // namespace

TEST_CASE("an operator's own question reaches the subtask that owns the key, from another thread while it works") {
  pipeline p;
  p.read("in", generate_forever([](std::uint64_t i) { return static_cast<number>(i % 64); }))
      .key_by(itself)
      .process("count", op<counting>())
      .write("out", to_callback{[](const number&) {}});
  options how;
  how.name = "j";
  how.parallelism = 4;
  how.threads = 2;
  auto j = start(p, how);
  const auto ask = [&] {
    for (number key = 0; key < 64; ++key) {
      const auto before = j.ask<seen>("count", key, at_least{});
      const auto after = j.ask<seen>("count", key, at_least{before.rows + 1});
      CHECK((after.rows >= before.rows && before.enough && after.enough == (after.rows > before.rows)));
    }
  };
  std::thread other{ask};
  ask();
  other.join();
  while (j.ask<seen>("count", 5, at_least{}).rows < 1000) continue;
  CHECK(j.ask<seen>("count", 1000, at_least{}).rows == 0);
  std::uint64_t keys = 0;
  for (const auto& t : j.inspect("count")) keys += t.steps.at(0).keys;
  CHECK(keys == 64);
  CHECK(error_of([&] { j.ask<seen>("count", 5, at_least{-1}); }) == "a bound is not negative");
  CHECK(error_of([&] { j.ask<seen>("count", 5, at_least{99}); }) == "step 'count' threw something that is not a std::exception");
  CHECK(error_of([&] { j.ask<seen>("count", 5); }) ==
        "step 'count' answers a (anonymous namespace)::at_least, but was asked a spillway::value_query");
  CHECK(error_of([&] { j.ask<number>("count", 5, at_least{}); }) ==
        "step 'count' replies with (anonymous namespace)::seen, but long was asked for");
  CHECK(error_of([&] { j.ask<seen>("count", "five", at_least{}); }) ==
        "step 'count' has keys of type long, but was asked with std::string");
  j.cancel();
  CHECK(j.wait() == job_phase::cancelled);
  CHECK(error_of([&] { j.ask<seen>("count", 5, at_least{}); }) == "job 'j' has ended");
}
