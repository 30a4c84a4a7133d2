#include "actors/operators/filter.hpp"
#include "actors/operators/flat_map.hpp"
#include "actors/operators/map.hpp"
#include "actors/operators/process.hpp"
#include "actors/operators/write.hpp"
#include "tests/plain/one_stage.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace spillway;
using namespace spillway::tests;

namespace {

using numbers = std::vector<std::int64_t>;
using words = std::vector<std::string>;

template <class T, class R, class F>
one_stage<R> mapping(F f) {
  return one_stage<R>{std::make_unique<map_stage<T, R, F>>(f)};
}
template <class T, class F>
one_stage<T> filtering(F f) {
  return one_stage<T>{std::make_unique<filter_stage<T, F>>(f)};
}
template <class T, class R, class F>
one_stage<R> flat_mapping(F f) {
  return one_stage<R>{std::make_unique<flat_map_stage<T, R, F>>(f)};
}

numbers up_to(std::int64_t n) {
  numbers all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::int64_t twice(std::int64_t x) { return 2 * x; }
bool even(std::int64_t x) { return x % 2 == 0; }
const std::vector<timestamp> three_times{at(10), at(20), at(30)};

}  // namespace

TEST_CASE("map gives one row for each and keeps event times") {
  auto same_type = mapping<std::int64_t, std::int64_t>(twice);
  CHECK(same_type.feed(numbers{1, 2, 3}, three_times).rows() == numbers{2, 4, 6});
  CHECK(same_type.times() == three_times);
  auto other_type = mapping<std::int64_t, std::string>([](std::int64_t x) { return std::to_string(x); });
  CHECK(other_type.feed(numbers{1, 2, 3}, three_times).rows() == words{"1", "2", "3"});
  CHECK(other_type.times() == three_times);
}

TEST_CASE("map leaves rows alone that others see too") {
  auto m = mapping<std::int64_t, std::int64_t>(twice);
  auto b = make_batch<std::int64_t>(nullptr);
  b->push(7);
  CHECK(m.feed(batch_ptr{b}).rows() == numbers{14});
  CHECK((*b)[0] == 7);
}

TEST_CASE("map of small rows to large ones gives as many batches as it takes") {
  auto m = mapping<std::int64_t, std::string>([](std::int64_t x) { return std::string(1000, static_cast<char>('a' + x % 26)); });
  m.feed(up_to(500), std::vector<timestamp>(500, at(1)));
  CHECK(m.batches.size() > 1);
  CHECK(m.times().size() == 500);
  const auto rows = m.rows();
  REQUIRE(rows.size() == 500);
  for (std::size_t i = 0; i < rows.size(); ++i) REQUIRE(rows[i][0] == static_cast<char>('a' + i % 26));
}

TEST_CASE("filter keeps rows with their times, and leaves rows alone that others see too") {
  for (bool shared : {false, true}) {
    CAPTURE(shared);
    auto f = filtering<std::string>([](const std::string& s) { return s != "b"; });
    auto b = make_batch<std::string>(nullptr);
    for (const char* s : {"a", "b", "c"}) b->push(s);
    b->times = three_times;
    const auto mine = shared ? batch_ptr{b} : batch_ptr{};
    CHECK(f.feed(batch_ptr{std::move(b)}).rows() == words{"a", "c"});
    CHECK(f.times() == std::vector{at(10), at(30)});
    if (shared) CHECK(rows_in<std::string>(*mine)[1] == "b");
  }
}

TEST_CASE("filter sends nothing if no row is left") {
  auto f = filtering<std::int64_t>(even);
  CHECK(f.feed(numbers{1, 3}).batches.empty());
  CHECK(f.feed(up_to(4)).rows() == numbers{0, 2});
}

TEST_CASE("flat_map gives any number of rows, at the time of the row or at one of its own") {
  auto f = flat_mapping<std::int64_t, std::int64_t>([](std::int64_t n, out<std::int64_t>& to) {
    for (std::int64_t i = 0; i < n; ++i) to(i);
    if (n == 1) to(100, at(7));
  });
  CHECK(f.feed(numbers{2, 0, 1}, three_times).rows() == numbers{0, 1, 0, 100});
  CHECK(f.times() == std::vector{at(10), at(10), at(30), at(7)});
  CHECK(f.feed(numbers{1}).rows() == numbers{0, 100});
  CHECK(f.times() == std::vector{min_time, at(7)});
}

TEST_CASE("flat_map stops between two rows when there is no room and goes on there") {
  auto f = flat_mapping<std::int64_t, std::int64_t>([](std::int64_t n, out<std::int64_t>& to) {
    for (int i = 0; i < 3000; ++i) to(n);
  });
  f.permits = 1;
  f.feed(up_to(5));
  CHECK(f.batches == std::vector<std::size_t>{4096});
  f.permits = 1;
  CHECK(f.work().batches == std::vector<std::size_t>{4096, 4096});
  f.permits = 100;
  numbers expected;
  for (auto n : up_to(5)) expected.insert(expected.end(), 3000, n);
  CHECK(f.work().rows() == expected);
}

TEST_CASE("what throws on a row names the row, also if it is not an exception") {
  const auto at_3 = [](std::int64_t x) { return x == 3 ? throw std::runtime_error("three") : x > 4 ? throw 5 : x; };
  auto m = mapping<std::int64_t, std::int64_t>(at_3);
  CHECK(failure_of([&] { m.feed(numbers{1, 2, 3, 4}); }) == "3: three");
  auto to_text = mapping<std::int64_t, std::string>([=](std::int64_t x) { return std::to_string(at_3(x)); });
  CHECK(failure_of([&] { to_text.feed(numbers{1, 5}); }) == "5: it threw something that is not a std::exception");
  auto f = filtering<std::int64_t>([=](std::int64_t x) { return even(at_3(x)); });
  CHECK(failure_of([&] { f.feed(numbers{2, 3}); }) == "3: three");
  auto g = flat_mapping<std::int64_t, std::int64_t>([=](std::int64_t x, out<std::int64_t>& to) { to(at_3(x)); });
  CHECK(failure_of([&] { g.feed(numbers{2, 3}); }) == "3: three");
}

namespace {

/// Gives each row with the sum so far, and the sum at the end.
struct summing : stream_operator<std::int64_t, std::int64_t> {
  explicit summing(std::int64_t from) : sum(from) {}
  void on_row(const std::int64_t& x, auto& ctx) {
    if (x < 0) throw std::runtime_error("below 0");
    ctx.emit(sum += x);
    if (ctx.time() == at(20)) ctx.emit(-1, at(99));
  }
  void on_end(auto& ctx) { ctx.emit(sum); }
  std::int64_t sum;
};

}  // namespace

TEST_CASE("an operator of one's own gives rows for each row and at the end") {
  one_stage<std::int64_t> s{std::make_unique<process_stage<summing>>(op<summing>(10).make())};
  CHECK(s.feed(numbers{1, 2, 3}, three_times).rows() == numbers{11, 13, -1, 16});
  CHECK(s.times() == std::vector{at(10), at(20), at(99), at(30)});
  CHECK(s.end().rows() == numbers{16});
  CHECK(s.times().empty());
  CHECK(failure_of([&] { s.feed(numbers{-5}); }) == "-5: below 0");
}

namespace {

struct noting_writer : sink_writer<std::int64_t> {
  explicit noting_writer(lines& out) : out(out) {}
  void write(const batch_of<std::int64_t>& rows) override { out.push_back("write " + std::to_string(rows.size())); }
  void flush() override { out.push_back("flush"); }
  void close() override { out.push_back("close"); }
  lines& out;
};

}  // namespace

TEST_CASE("a sink is flushed at a pause if something was written, and closed at the end only") {
  lines out;
  one_stage<std::int64_t> s{std::make_unique<write_stage<std::int64_t>>(std::make_unique<noting_writer>(out))};
  s.op().on_pause();
  s.feed(numbers{1, 2});
  s.feed(watermark{max_time});
  s.op().on_pause();
  s.op().on_pause();
  s.feed(numbers{3});
  s.end();
  CHECK(out == lines{"write 2", "flush", "write 1", "close"});
}
