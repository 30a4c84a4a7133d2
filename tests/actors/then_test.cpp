#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;

namespace {

/// Numbers from `first` on, in as many splits as subtasks; never ends, but has nothing more to give after `count`.
struct numbers_from {
  using row = number;
  static constexpr auto bounds = unbounded;
  static constexpr bool tells_backlog = true;
  number first = 0, count = 0;
  bool blocking_reader = false;
  start_point from = at_beginning;
  row_time<number> time{};

  struct reader final : source_reader<number> {
    reader(number next, number end, number step) : next(next), end(end), step(step) {}
    read_result read(batch_of<number>& to) override {
      if (next >= end) return read_result::wait(std::chrono::hours{1});
      to.push(std::exchange(next, next + step));
      return read_result::more();
    }
    bool backlog() const override { return next < end; }
    number next, end, step;
  };
  std::vector<split> splits(const source_context& ctx) const {
    std::vector<split> all;
    auto begin = first;
    if (auto t = from.first_time(ctx.history_end)) begin = std::max<number>(first, t->time_since_epoch().count());
    for (std::uint32_t n = 0; n < ctx.parallelism; ++n) all.push_back({std::to_string(n), saved::of(begin + n), std::nullopt});
    return all;
  }
  std::unique_ptr<source_reader<number>> open(const split& s, const source_context& ctx) const {
    return std::make_unique<reader>(s.data.as<number>(), first + count, ctx.parallelism);
  }
};

timestamp as_time(const number& n) { return timestamp{std::chrono::microseconds{n}}; }

number none(number) { return 0; }

}  // namespace

TEST_CASE(
    "no row of the second part is read before every row of the first has passed, and the backlog ends when both are through") {
  for (std::uint32_t p : {1u, 2u, 4u}) {
    deterministic d;
    numbers seen;
    pipeline pipe;
    auto history = pipe.read("history", one_by_one{20});
    auto live = pipe.read("live", numbers_from{100, 30});
    history.then("both", live).map("same", [](number n) { return n; }).write("out", to_vector{seen});
    auto how = deterministic::tight();
    how.parallelism = p;
    auto& job = d.start(pipe, how);
    d.steps(6);
    std::mt19937 random{p};
    d.settle(random);
    REQUIRE(seen.size() == 50);
    CHECK(sorted({seen.begin(), seen.begin() + 20}) == [] {
      numbers all(20);
      std::iota(all.begin(), all.end(), 0);
      return all;
    }());
    CHECK(sorted({seen.begin() + 20, seen.end()}).front() == 100);
    for (std::uint32_t s = 0; s < p; ++s) CHECK_FALSE(d.view_of("both", s).backlog);
    job.cancel();
    d.settle();
  }
}

TEST_CASE("the header of a history and of a source that is behind says backlog, and live is said once") {
  deterministic d;
  numbers seen;
  pipeline pipe;
  pipe.read("history", one_by_one{3}).then("both", pipe.read("live", numbers_from{100, 3})).write("out", to_vector{seen});
  auto how = deterministic::tight();
  how.parallelism = 1;
  d.start(pipe, how);
  bool was = false;
  int changes = 0;
  while (d.step()) {
    const auto now = d.view_of("both").backlog;
    changes += now != was;
    was = now;
    if (seen.size() > 0 && seen.size() < 6) CHECK(now);
  }
  CHECK(changes == 2);
  CHECK_FALSE(was);
  d.the_job().cancel();
  d.settle();
}

TEST_CASE("parts that share 0, 1 or 1,000 rows give each of them once, at parallelism 1 and 4") {
  for (std::uint32_t p : {1u, 4u})
    for (number shared : {0, 1, 1000}) {
      deterministic d;
      numbers seen;
      pipeline pipe;
      auto history = pipe.read("history", one_by_one{2000});
      auto live = pipe.read("live", numbers_from{2000 - shared, shared + 500});
      history.then(live).deduplicate_by("once", itself).write("out", to_vector{seen});
      auto how = deterministic::tight();
      how.parallelism = p;
      d.start(pipe, how);
      d.settle();
      numbers all(2500);
      std::iota(all.begin(), all.end(), 0);
      CHECK(sorted(seen) == all);
      d.the_job().cancel();
      d.settle();
    }
}

TEST_CASE("a source that begins after the history reads the overlap again, which deduplicate_by takes out") {
  for (std::uint32_t p : {1u, 4u}) {
    deterministic d;
    numbers seen;
    pipeline pipe;
    auto history = pipe.read("history", one_by_one{1000});
    auto live = pipe.read("live", numbers_from{0, 1500, false, after_history(10us), as_time});
    history.then("both", live).deduplicate_by("once", itself, 100us).write("out", to_vector{seen});
    auto how = deterministic::tight();
    how.parallelism = p;
    d.start(pipe, how);
    d.settle();
    numbers all(1500);
    std::iota(all.begin(), all.end(), 0);
    CHECK(sorted(seen) == all);
    number read_live = 0;
    for (std::uint32_t s = 0; s < p; ++s) read_live += static_cast<number>(d.step_in("live", s).rows_out);
    CHECK(read_live == 1500 - 989);
    d.the_job().cancel();
    d.settle();
  }
}

TEST_CASE("what cannot work with then is refused when the job is planned") {
  const auto error_of = [](auto build) {
    try {
      pipeline p;
      build(p);
      return explain(p);
    } catch (const pipeline_error& e) {
      return std::string{e.what()};
    }
  };
  numbers out;
  CHECK(error_of([&](pipeline& p) {
          auto a = p.read("a", one_by_one{3});
          a.then("both", a.map("same", none)).write(to_vector{out});
        }).starts_with("step 'both' reads 'a' after itself"));
  CHECK(error_of([&](pipeline& p) {
          auto live = p.read("live", numbers_from{0, 3, false, after_history(1us), as_time});
          p.read("a", one_by_one{3}).then("both", live).write("out", to_vector{out});
        }).starts_with("step 'live' reads some of the history again, and 'out' would see those rows twice\n  help: "));
  CHECK(error_of([&](pipeline& p) {
          p.read("live", numbers_from{0, 3, false, after_history(1us), as_time}).write("out", to_vector{out});
        }).starts_with("step 'live' begins after the history, but has none"));
  CHECK(error_of([&](pipeline& p) {
          auto live = p.read("live", numbers_from{0, 3, false, after_history(1us)});
          p.read("a", one_by_one{3}).then("both", live).deduplicate_by(itself).write(to_vector{out});
        }).starts_with("step 'live' begins after the history, but the time of its rows is not known"));
  CHECK(error_of([&](pipeline& p) {
          p.read("a", one_by_one{3}).deduplicate_by(itself, 1us).write(to_vector{out});
        }).starts_with("deduplicate_by behind step 'a': the time of its rows is not known"));
}
