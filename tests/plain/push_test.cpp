#include "actors/sources/push.hpp"
#include "messages/errors.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>

using namespace spillway;

namespace {

using texts = std::vector<std::string>;

/// The rows up to the end, or up to `most` of them.
template <class T>
std::vector<T> rows_of(source_reader<T>& reader, std::size_t most = ~std::size_t{0}) {
  std::vector<T> rows;
  while (rows.size() < most) {
    batch_of<T> batch;
    const auto result = reader.read(batch);
    rows.insert(rows.end(), batch.rows().begin(), batch.rows().end());
    if (result.state == read_result::kind::end) break;
  }
  return rows;
}

/// Ends when it is left, whatever happens.
struct threads {
  ~threads() { join(); }
  template <class F>
  void add(F f) {
    all.emplace_back(std::move(f));
  }
  void join() {
    for (auto& t : all) t.join();
    all.clear();
  }
  std::vector<std::thread> all;
};

}  // namespace

TEST_CASE("rows pushed before the job starts are read in their order, and the source ends behind them when it is closed") {
  inbox<std::string> in;
  CHECK(in.push("a"));
  CHECK(in.try_push("b"));
  auto reader = in.open({.step = "in"});
  CHECK(in.push("c"));
  in.close();
  CHECK_FALSE(in.push("d"));
  CHECK_FALSE(in.try_push("d"));
  CHECK(rows_of(*reader) == texts{"a", "b", "c"});
  CHECK(reader->progress().done == 3);
}

TEST_CASE("without a row the reader comes back, and asks to be called again") {
  inbox<int> in;
  auto reader = in.open({.step = "in"});
  batch_of<int> batch;
  CHECK(reader->read(batch).state == read_result::kind::more);
  CHECK(batch.empty());
}

TEST_CASE("an inbox without room takes no row, and leaves it as it was") {
  inbox<std::string> in{2};
  std::string row = "a row that is not small enough to be kept in place";
  const auto same = row;
  CHECK(in.try_push("a"));
  CHECK(in.try_push("b"));
  CHECK_FALSE(in.try_push(std::move(row)));
  CHECK(row == same);
  auto reader = in.open({.step = "in"});
  CHECK(rows_of(*reader, 2) == texts{"a", "b"});
  CHECK(in.try_push(std::move(row)));
  CHECK(rows_of(*reader, 1) == texts{same});
}

TEST_CASE("who pushes waits for room, and never is more than the capacity taken ahead of the reader") {
  constexpr int rows = 2000;
  constexpr std::size_t capacity = 3;
  inbox<int> in{capacity};
  auto reader = in.open({.step = "in"});
  std::atomic<int> pushed = 0;
  threads pushers;
  pushers.add([&] {
    for (int i = 0; i < rows; ++i)
      if (in.push(i)) ++pushed;
  });
  std::vector<int> seen;
  while (seen.size() < rows) {
    batch_of<int> batch;
    REQUIRE(reader->read(batch).state == read_result::kind::more);
    seen.insert(seen.end(), batch.rows().begin(), batch.rows().end());
    // Up to `capacity` wait in the inbox; those the reader has taken out are in the batch.
    REQUIRE(static_cast<std::size_t>(pushed) <= seen.size() + capacity);
  }
  for (int i = 0; i < rows; ++i) REQUIRE(seen[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("rows of many threads all arrive once, those of each in order") {
  constexpr std::uint64_t each = 5000, count = 8;
  inbox<std::uint64_t> in{64};
  auto reader = in.open({.step = "in"});
  threads pushers;
  std::atomic<std::uint64_t> running = count;
  for (std::uint64_t t = 0; t < count; ++t)
    pushers.add([&, t] {
      for (std::uint64_t i = 0; i < each; ++i)
        if (i % 3 != 0 || !in.try_push(t * each + i)) (void)in.push(t * each + i);
      if (--running == 0) in.close();
    });
  const auto rows = rows_of(*reader);
  REQUIRE(rows.size() == each * count);
  std::vector<std::uint64_t> next(count);
  for (auto row : rows) REQUIRE(row % each == next[row / each]++);
}

TEST_CASE("those who wait to push are told when the inbox is closed") {
  inbox<int> in{1};
  CHECK(in.push(0));
  std::atomic<int> refused = 0;
  threads pushers;
  for (int i = 0; i < 4; ++i) pushers.add([&] { refused += in.push(1) ? 0 : 1; });
  in.close();
  pushers.join();
  CHECK(refused == 4);
}

TEST_CASE("those who wait to push are told when the reader goes, and another job may read what comes then") {
  inbox<int> in{1};
  auto reader = in.open({.step = "in"});
  CHECK(in.push(0));
  std::atomic<int> refused = 0;
  threads pushers;
  for (int i = 0; i < 4; ++i) pushers.add([&] { refused += in.push(1) ? 0 : 1; });
  reader.reset();
  pushers.join();
  CHECK(refused == 4);
  CHECK_FALSE(in.try_push(1));
  reader = in.open({.step = "in"});
  CHECK(rows_of(*reader, 1) == std::vector<int>{0});
  CHECK(in.try_push(2));
  CHECK(rows_of(*reader, 1) == std::vector<int>{2});
}

TEST_CASE("those who wait to push are told when a job ends before it reads, and another job may come") {
  inbox<int> in{1};
  auto job = in.attach();
  CHECK(in.push(0));
  std::atomic<int> refused = 0;
  threads pushers;
  for (int i = 0; i < 4; ++i) pushers.add([&] { refused += in.push(1) ? 0 : 1; });
  job.reset();
  pushers.join();
  CHECK(refused == 4);
  job = in.attach();
  auto reader = in.open({.step = "in"});
  CHECK(rows_of(*reader, 1) == std::vector<int>{0});
  CHECK(in.try_push(2));
  CHECK(rows_of(*reader, 1) == std::vector<int>{2});
  reader.reset();
  CHECK_FALSE(in.try_push(3));
  job.reset();
  CHECK_FALSE(in.try_push(3));
}

TEST_CASE("an inbox has one reader at a time") {
  inbox<int> in;
  auto reader = in.open({.step = "in"});
  CHECK_THROWS_WITH_AS((void)in.open({.step = "again"}),
                       "step 'again' reads an inbox that another step or job reads\n  help: give each its own", pipeline_error);
  (void)in.push(1);
  CHECK(rows_of(*reader, 1) == std::vector<int>{1});
}
