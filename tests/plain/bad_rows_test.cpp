#include "actors/operators/aggregate.hpp"
#include "actors/operators/deduplicate.hpp"
#include "actors/operators/filter.hpp"
#include "actors/operators/flat_map.hpp"
#include "actors/operators/map.hpp"
#include "actors/operators/process.hpp"
#include "actors/operators/running.hpp"
#include "actors/pipeline.hpp"
#include "messages/errors.hpp"
#include "scheduler/plan.hpp"
#include "tests/plain/one_stage.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace spillway;
using namespace spillway::tests;

namespace {

using numbers = std::vector<std::int64_t>;

const side<bad_row> refused{"refused"};

std::int64_t good(std::int64_t x) { return x % 7 == 3 ? throw std::runtime_error("no luck with it") : x; }

/// What is left of the rows, and of the times, when those that `good` refuses are left out.
struct expected {
  numbers rows, bad;
  std::vector<timestamp> times;
};
expected without_bad(const numbers& rows, const std::vector<timestamp>& times) {
  expected e;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] % 7 == 3) {
      e.bad.push_back(rows[i]);
      continue;
    }
    e.rows.push_back(rows[i]);
    if (!times.empty()) e.times.push_back(times[i]);
  }
  return e;
}

template <class Out>
numbers texts_of(const one_stage<Out>& s) {
  numbers all;
  for (const auto& r : s.refused) {
    CHECK((r.step == "step" && r.place.empty() && r.reason == "no luck with it"));
    all.push_back(std::stoll(r.text));
  }
  return all;
}

/// Feeds batches of random rows, some of them shared with another holder, and compares what comes out with `Model` over the rows
/// that are not refused.
template <class Out, class Make, class Model>
void leaves_out_bad_rows(Make make, Model model) {
  std::mt19937 random{7};
  for (int round = 0; round < 60; ++round) {
    one_stage<Out> s{make(), bad_rows::set_aside(refused)};
    numbers all;
    std::vector<timestamp> all_times;
    const bool timed = round % 2 == 0;
    for (int b = 0; b < 3; ++b) {
      numbers rows(random() % 30);
      for (auto& r : rows) r = static_cast<std::int64_t>(random() % 50);
      std::vector<timestamp> times;
      if (timed)
        for (std::size_t i = 0; i < rows.size(); ++i) times.push_back(at(static_cast<std::int64_t>(all.size() + i)));
      auto batch = make_batch<std::int64_t>(nullptr);
      for (auto r : rows) batch->push(r);
      batch->times = times;
      const auto held = round % 3 == 0 ? batch : decltype(batch){};
      s.feed(element{batch_ptr{std::move(batch)}});
      all.insert(all.end(), rows.begin(), rows.end());
      all_times.insert(all_times.end(), times.begin(), times.end());
    }
    s.end();
    const auto e = without_bad(all, all_times);
    CHECK(texts_of(s) == e.bad);
    model(s, e);
  }
}

struct counting : keyed_operator<std::int64_t, std::int64_t, std::int64_t> {
  void on_row(const std::int64_t& row, auto& ctx) {
    ctx.emit(good(row));
    ++*n_;
  }
  value_state<std::int64_t> n_{this, "n"};
};

struct passing : stream_operator<std::int64_t, std::int64_t> {
  void on_row(const std::int64_t& row, auto& ctx) { ctx.emit(good(row)); }
};

struct adding {
  std::int64_t sum = 0;
  void add(std::int64_t x) { sum += good(x); }
};

const auto digit = [](std::int64_t x) { return x % 10; };

}  // namespace

BOOST_DESCRIBE_STRUCT(adding, (), (sum))

TEST_CASE("a map leaves out the rows on which it throws, keeps the others' order and times") {
  leaves_out_bad_rows<std::int64_t>(
      [] { return std::make_unique<map_stage<std::int64_t, std::int64_t, decltype(&good)>>(&good); },
      [](auto& s, const expected& e) {
        CHECK(s.rows() == e.rows);
        CHECK(s.times() == e.times);
      });
  const auto text = [](std::int64_t x) { return std::to_string(good(x)); };
  leaves_out_bad_rows<std::string>([&] { return std::make_unique<map_stage<std::int64_t, std::string, decltype(text)>>(text); },
                                   [](auto& s, const expected& e) {
                                     numbers got;
                                     for (const auto& r : s.rows()) got.push_back(std::stoll(r));
                                     CHECK(got == e.rows);
                                     CHECK(s.times() == e.times);
                                   });
}

TEST_CASE("a filter leaves out the rows on which it throws") {
  const auto odd = [](std::int64_t x) { return good(x) % 2 == 1; };
  leaves_out_bad_rows<std::int64_t>([&] { return std::make_unique<filter_stage<std::int64_t, decltype(odd)>>(odd); },
                                    [](auto& s, const expected& e) {
                                      numbers rows;
                                      std::vector<timestamp> times;
                                      for (std::size_t i = 0; i < e.rows.size(); ++i)
                                        if (e.rows[i] % 2 == 1) {
                                          rows.push_back(e.rows[i]);
                                          if (!e.times.empty()) times.push_back(e.times[i]);
                                        }
                                      CHECK(s.rows() == rows);
                                      CHECK(s.times() == times);
                                    });
}

TEST_CASE("a flat_map and operators of one's own leave out the rows on which they throw") {
  const auto once = [](const std::int64_t& x, out<std::int64_t>& o) { o(good(x)); };
  const auto same = [](auto& s, const expected& e) {
    CHECK(s.rows() == e.rows);
    CHECK(s.times() == e.times);
  };
  leaves_out_bad_rows<std::int64_t>(
      [&] { return std::make_unique<flat_map_stage<std::int64_t, std::int64_t, decltype(once)>>(once); }, same);
  leaves_out_bad_rows<std::int64_t>([] { return std::make_unique<process_stage<passing>>(std::make_unique<passing>()); }, same);
  leaves_out_bad_rows<std::int64_t>(
      [] {
        return std::make_unique<keyed_process_stage<std::int64_t, decltype(digit), counting>>(digit, std::make_unique<counting>(),
                                                                                              stage_context{});
      },
      same);
}

TEST_CASE("aggregates leave out the rows on which they throw") {
  using shape = detail::keyed_shape<std::int64_t, adding>;
  using result = keyed<std::int64_t, adding>;
  const auto running = [] {
    return std::make_unique<running_stage<std::int64_t, decltype(digit), adding, shape>>(digit, adding{}, shape{},
                                                                                         stage_context{});
  };
  leaves_out_bad_rows<result>(running, [](auto& s, const expected& e) {
    std::map<std::int64_t, std::int64_t> sums;
    std::vector<std::pair<std::int64_t, std::int64_t>> want, got;
    for (auto x : e.rows) want.emplace_back(x % 10, sums[x % 10] += x);
    for (const auto& r : s.rows()) got.emplace_back(r.key, r.value.sum);
    CHECK(got == want);
    CHECK(s.times() == e.times);
  });
  const auto at_end = [] {
    return std::make_unique<aggregate_stage<std::int64_t, decltype(digit), adding, shape>>(digit, adding{}, shape{},
                                                                                           stage_context{});
  };
  leaves_out_bad_rows<result>(at_end, [](auto& s, const expected& e) {
    std::map<std::int64_t, std::int64_t> want, got;
    for (auto x : e.rows) want[x % 10] += x;
    for (const auto& r : s.rows())
      if (r.value.sum != 0) got[r.key] = r.value.sum;
    std::erase_if(want, [](const auto& e) { return e.second == 0; });
    CHECK(got == want);
  });
}

TEST_CASE("bad rows that are skipped are counted, and the first ten are noted; by default the first one is an error") {
  bad_row_book book{"parse", bad_rows::skip};
  for (int i = 0; i < 12; ++i) book.refuse({"", "a.csv:" + std::to_string(i), "\"x\"", "is no number"}, "correct it");
  CHECK(book.count() == 12);
  const auto notes = book.take_notes();
  REQUIRE(notes.size() == 10);
  CHECK(notes[3] == "a.csv:3: \"x\" is no number");
  CHECK(book.take_notes().empty());
  CHECK_FALSE(book.take_rows());
  bad_row_book strict{"parse", bad_rows::fail};
  CHECK_THROWS_WITH_AS(strict.refuse({"", "a.csv:3", "\"x\"", "is no number"}, "correct it"),
                       "a.csv:3: \"x\" is no number\n  help: correct it", data_error);
}

TEST_CASE("rows that are set aside come out in batches, each once") {
  bad_row_book book{"parse", bad_rows::set_aside(refused)};
  constexpr std::size_t n = 3 * batch_of<bad_row>::capacity / 2;
  for (std::size_t i = 0; i < n; ++i) book.refuse({"", std::to_string(i), "x", "is no number"}, "");
  std::size_t seen = 0;
  while (auto rows = book.take_rows())
    for (const auto& r : rows_in<bad_row>(std::as_const(*rows)).rows())
      CHECK((r.step == "parse" && r.place == std::to_string(seen++)));
  CHECK(seen == n);
}

TEST_CASE("a side output nobody uses, one the step does not have, and a policy said twice are refused") {
  const auto error_of = [](auto build) {
    try {
      pipeline p;
      build(p.read("in", from(numbers{1, 2})));
      return explain(plan_of(p.graph(), {2, 0}));
    } catch (const pipeline_error& e) {
      return std::string{e.what()};
    }
  };
  const auto aside = bad_rows::set_aside(refused);
  numbers out;
  std::vector<bad_row> bad;
  CHECK(error_of([&](auto s) { s.map("good", good).on_error(aside).write(to_vector{out}); }) ==
        "nothing uses the side output 'refused' of step 'good'\n  help: end stream.side(...) with .write(...)");
  CHECK(error_of([&](auto s) {
          s.map("good", good).side(refused).write(to_vector{bad});
        }).starts_with("step 'good' has no side output 'refused'\n  help: "));
  CHECK(error_of([&](auto s) {
          s.map("good", good).on_error(aside).on_error(bad_rows::skip);
        }).starts_with("step 'good': what becomes of bad rows is said twice"));
  CHECK(error_of([&](auto s) {
          s.union_with("both", s.map("same", good)).on_error(bad_rows::skip);
        }).starts_with("step 'both': union_with() passes rows on as they are and refuses none\n  help: "));
  CHECK(error_of([&](auto s) {
          auto g = s.map("good", good).on_error(aside);
          g.write("out", to_vector{out});
          g.side(refused).write("bad", to_vector{bad});
        }).find("side 'refused' of good, pipelined") != std::string::npos);
}
