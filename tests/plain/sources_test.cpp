#include "actors/sources/generator.hpp"
#include "actors/sources/vector.hpp"
#include "messages/errors.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace std::chrono_literals;
using namespace spillway;
using numbers = std::vector<std::uint64_t>;

namespace {

struct hand_clock final : job_clock {
  std::chrono::steady_clock::time_point time{};
  std::chrono::steady_clock::time_point now() const override { return time; }
};

/// What one subtask reads, as rows and as the size of each batch.
template <class Source>
auto all_of(const Source& source, std::uint32_t subtask = 0, std::uint32_t parallelism = 1,
            std::vector<std::size_t>* sizes = nullptr) {
  using T = typename Source::row;
  auto reader = source.open({.step = "test", .subtask = subtask, .parallelism = parallelism, .clock = nullptr});
  std::vector<T> rows;
  for (auto more = true; more;) {
    batch_of<T> batch;
    more = reader->read(batch).state != read_result::kind::end;
    rows.insert(rows.end(), batch.rows().begin(), batch.rows().end());
    if (sizes) sizes->push_back(batch.size());
  }
  CHECK(reader->progress().done == rows.size());
  CHECK(reader->progress().total == rows.size());
  return rows;
}

constexpr auto same = [](std::uint64_t i) { return i; };

}  // namespace

TEST_CASE("a vector is read in order, in batches of the size asked for") {
  const std::vector<std::string> rows{"a", "b", "c", "d", "e"};
  std::vector<std::size_t> sizes;
  CHECK(all_of(from_vector<std::string>{.rows = rows, .batch_rows = 2}, 0, 1, &sizes) == rows);
  CHECK(sizes == std::vector<std::size_t>{2, 2, 1});
  CHECK(all_of(from(std::vector{3, 1, 2})) == std::vector{3, 1, 2});
  CHECK(all_of(from(std::vector<int>{})).empty());
  CHECK(all_of(from(std::vector<int>(10'000, 7))).size() == 10'000);
}

TEST_CASE("subtasks share the numbers of a generator, each in order and without gaps") {
  numbers all;
  for (std::uint32_t subtask = 0; subtask < 3; ++subtask)
    for (auto n : all_of(generate(10'000, same), subtask, 3)) all.push_back(n);
  REQUIRE(all.size() == 10'000);
  for (std::uint64_t i = 0; i < all.size(); ++i) REQUIRE(all[i] == i);
  CHECK(all_of(generate(2, same), 2, 3).empty());
  CHECK(all_of(generate(0, same)).empty());
}

TEST_CASE("a generator may make rows of any kind") {
  auto texts = all_of(generate(5000, [n = 0](std::uint64_t i) mutable { return std::to_string(i + n); }));
  REQUIRE(texts.size() == 5000);
  CHECK(texts.back() == "4999");
}

TEST_CASE("a paced generator gives the rows due by now, also after a pause") {
  hand_clock clock;
  auto reader = generate(100, same, {.rows_per_second = 20}).open({.step = "", .subtask = 0, .parallelism = 2, .clock = &clock});
  const auto read_at = [&](std::chrono::milliseconds t) {
    clock.time = std::chrono::steady_clock::time_point{t};
    batch_of<std::uint64_t> batch;
    const auto result = reader->read(batch);
    return std::pair{batch.size(), result.state == read_result::kind::wait ? result.wait_for : 0us};
  };
  using step = std::pair<std::size_t, std::chrono::microseconds>;
  CHECK(read_at(0ms) == step{1, 100ms});
  CHECK(read_at(50ms) == step{0, 50ms});
  CHECK(read_at(100ms) == step{1, 100ms});
  CHECK(read_at(300ms) == step{2, 100ms});
  CHECK(read_at(3000ms) == step{27, 100ms});
  CHECK(read_at(99'000ms) == step{19, 0us});
}

TEST_CASE("a paced generator asks for at least 100 us of rest") {
  hand_clock clock;
  auto reader =
      generate_forever(same, {.rows_per_second = 1e9}).open({.step = "", .subtask = 0, .parallelism = 1, .clock = &clock});
  batch_of<std::uint64_t> batch;
  CHECK(reader->read(batch).wait_for == 100us);
  CHECK(batch.size() == 1);
  clock.time += 1ms;
  CHECK(reader->read(batch).state == read_result::kind::more);
  CHECK(batch.full());
}

TEST_CASE("a generator without end deals its numbers to the subtasks in turn") {
  auto reader = generate_forever(same).open({.step = "", .subtask = 1, .parallelism = 3, .clock = nullptr});
  batch_of<std::uint64_t> batch;
  CHECK(reader->read(batch).state == read_result::kind::more);
  CHECK(batch.full());
  CHECK(batch[0] == 1);
  CHECK(batch[1] == 4);
  CHECK(reader->progress().total == std::nullopt);
  CHECK(decltype(generate_forever(same))::bounds == unbounded);
}

TEST_CASE("a reader of rows at hand, or of made ones, goes on wherever another was") {
  std::vector<std::uint64_t> rows(3000);
  for (std::uint64_t i = 0; i < rows.size(); ++i) rows[i] = i * i;
  const auto square = [](std::uint64_t i) { return i * i; };
  const auto check = [&](const auto& source) {
    const source_context context{.step = "test"};
    auto first = source.open(context);
    numbers before;
    for (auto more = true; more;) {
      auto second = source.open(context);
      second->seek(first->position());
      auto after = before;
      for (auto left = true; left;) {
        batch_of<std::uint64_t> batch;
        left = second->read(batch).state != read_result::kind::end;
        after.insert(after.end(), batch.rows().begin(), batch.rows().end());
      }
      REQUIRE(after == rows);
      batch_of<std::uint64_t> batch;
      more = first->read(batch).state != read_result::kind::end;
      before.insert(before.end(), batch.rows().begin(), batch.rows().end());
    }
  };
  check(from_vector<std::uint64_t>{.rows = rows, .batch_rows = 700});
  check(generate(rows.size(), square));
}

TEST_CASE("a position behind the last row there is is refused") {
  auto longer = from(std::vector{1, 2, 3}).open({.step = "test"});
  batch_of<int> batch;
  (void)longer->read(batch);
  auto shorter = from(std::vector{1, 2}).open({.step = "test"});
  CHECK_THROWS_WITH_AS(shorter->seek(longer->position()),
                       "the job is to go on behind row 3 of this source, but it has only 2\n  help: go on with the rows that the "
                       "job began with",
                       data_error);
}

TEST_CASE("a paced generator keeps its rate where it goes on") {
  hand_clock clock;
  const source_context context{.step = "", .subtask = 0, .parallelism = 1, .clock = &clock};
  const auto source = generate_forever(same, {.rows_per_second = 10});
  auto first = source.open(context);
  batch_of<std::uint64_t> batch;
  (void)first->read(batch);
  clock.time += 4s;
  (void)first->read(batch);
  REQUIRE(batch.size() == 41);
  auto second = source.open(context);
  second->seek(first->position());
  clock.time += 3600s;
  batch_of<std::uint64_t> rest;
  CHECK(second->read(rest).wait_for == 100ms);
  CHECK(rest.size() == 1);
  CHECK(rest[0] == 41);
  clock.time += 1s;
  CHECK(second->read(rest).wait_for == 100ms);
  CHECK(rest.size() == 11);
}

TEST_CASE("a rate or a count that cannot be meant is refused before anything runs") {
  const auto refusal_of = [](const auto& source) -> std::string {
    try {
      source.check();
    } catch (const data_error& e) {
      return e.what();
    }
    return "";
  };
  const auto at = [&](double rate) { return refusal_of(generate(10, same, {.rows_per_second = rate})); };
  CHECK(at(-1) == "rows_per_second is -1\n  help: 0 makes rows as fast as they are taken; else it is from 1e-6 to 1e12");
  CHECK(at(std::nan("")).starts_with("rows_per_second is nan"));
  for (const auto rate : {1e-7, 1e13, -1e-300, 5e-324, std::numeric_limits<double>::infinity()}) CHECK(at(rate) != "");
  for (const auto rate : {0.0, -0.0, 1e-6, 0.5, 1e12}) CHECK(at(rate) == "");
  CHECK(refusal_of(generate_forever(same, {.rows_per_second = -1})) != "");
  CHECK(refusal_of(generate_forever(same)) == "");
  const int fewer = -1;
  CHECK(refusal_of(generate(static_cast<std::uint64_t>(fewer), same))
            .starts_with("the count of rows is 18446744073709551615, which a negative number may have become"));
  CHECK(refusal_of(generate(9223372036854775807, same)) == "");
  CHECK(refusal_of(generate(0, same)) == "");
}
