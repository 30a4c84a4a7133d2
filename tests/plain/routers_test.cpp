#include "actors/exchange/hash_router.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

using namespace spillway;

namespace {

/// A row of each kind of path through the routers: plain numbers, and strings whose hashes travel along.
template <class T>
T row_of(std::int64_t i) {
  if constexpr (std::is_same_v<T, std::string>)
    return std::to_string(i);
  else
    return i;
}

/// Takes what is sent and remembers it by consumer.
template <class T>
struct consumers : output_port {
  explicit consumers(std::uint32_t n, std::uint32_t permits = 1'000'000) : writer{0, n, *this}, rows(n), times(n), sizes(n) {
    for (std::uint32_t sub = 0; sub < n; ++sub) writer.permit(sub, permits);
  }
  void send(std::uint32_t, std::uint32_t sub, element e) override {
    const auto& b = rows_in<T>(std::as_const(*e.rows));
    REQUIRE((b.times.empty() || b.times.size() == b.size()));
    REQUIRE((b.hashes.empty() || b.hashes.size() == b.size()));
    for (std::size_t i = 0; i < b.hashes.size(); ++i) REQUIRE(b.hashes[i] == key_hash(b[i]));
    rows[sub].insert(rows[sub].end(), b.rows().begin(), b.rows().end());
    times[sub].insert(times[sub].end(), b.times.begin(), b.times.end());
    sizes[sub].push_back(b.size());
  }
  edge_writer writer;
  std::vector<std::vector<T>> rows;
  std::vector<std::vector<timestamp>> times;
  std::vector<std::vector<std::size_t>> sizes;
};

template <class T>
batch_ref<batch_of<T>> rows(std::int64_t from, std::int64_t n, bool timed = false) {
  auto b = make_batch<T>(nullptr);
  for (auto i = from; i < from + n; ++i) b->push(row_of<T>(i));
  for (auto i = from; timed && i < from + n; ++i) b->times.push_back(timestamp{std::chrono::microseconds{i}});
  return b;
}

template <class T>
std::vector<T> numbered(std::int64_t from, std::int64_t n) {
  std::vector<T> all;
  for (auto i = from; i < from + n; ++i) all.push_back(row_of<T>(i));
  return all;
}

struct identity {
  template <class T>
  const T& operator()(const T& row) const {
    return row;
  }
};

template <class T>
hash_router<T, identity> by_key(std::uint32_t consumers) {
  return {identity{}, {0, consumers, 128}};
}

}  // namespace

TEST_CASE("small batches are gathered, large ones pass as they are, and order is kept") {
  consumers<std::int64_t> c{3};
  forward_router r{{1, 3, 128}};
  r.route(rows<std::int64_t>(0, 10), c.writer);
  r.route(rows<std::int64_t>(10, 10), c.writer);
  CHECK(c.rows[1].empty());
  CHECK(r.holds_rows());
  r.route(rows<std::int64_t>(20, 3000), c.writer);
  CHECK_FALSE(r.holds_rows());
  CHECK(c.sizes[1] == std::vector<std::size_t>{20, 3000});
  r.route(rows<std::int64_t>(3020, 1), c.writer);
  r.flush(c.writer);
  CHECK(c.rows[1] == numbered<std::int64_t>(0, 3021));
  CHECK((c.rows[0].empty() && c.rows[2].empty()));
}

TEST_CASE("gathered rows keep their event times, also next to rows without") {
  consumers<std::string> c{1};
  forward_router r{{0, 1, 128}};
  r.route(rows<std::string>(0, 2), c.writer);
  r.route(rows<std::string>(5, 1, true), c.writer);
  r.route(rows<std::string>(6, 1), c.writer);
  r.flush(c.writer);
  CHECK(c.times[0] == std::vector{min_time, min_time, timestamp{std::chrono::microseconds{5}}, min_time});
}

TEST_CASE("rebalance deals batches in turn, beginning at the producer's own number, and leaves out who takes none") {
  consumers<std::int64_t> c{3, 0};
  for (std::uint32_t sub : {0u, 2u}) c.writer.permit(sub, 2);
  rebalance_router r{{5, 3, 128}};
  for (int i = 0; i < 4; ++i) r.route(rows<std::int64_t>(i, 3000), c.writer);
  CHECK((c.sizes[0].size() == 2 && c.sizes[1].empty() && c.sizes[2].size() == 2));
  CHECK(c.rows[2][0] == 0);
  CHECK_FALSE(c.writer.blocked());
  r.route(rows<std::int64_t>(9, 3000), c.writer);
  CHECK(c.writer.blocked());
  c.writer.permit(0, 1), c.writer.permit(1, 1), c.writer.permit(2, 1);
  CHECK((c.sizes[0].size() + c.sizes[1].size() + c.sizes[2].size() == 5));
}

TEST_CASE("broadcast gives every row to every consumer") {
  consumers<std::string> c{3};
  broadcast_router r;
  r.route(rows<std::string>(0, 2000), c.writer);
  r.route(rows<std::string>(2000, 5), c.writer);
  r.flush(c.writer);
  for (const auto& rows : c.rows) CHECK(rows == numbered<std::string>(0, 2005));
}

TEST_CASE_TEMPLATE("each row goes to the consumer that owns its key, in order, whatever the sizes and times", T, std::int64_t,
                   std::string) {
  std::mt19937 random{7};
  for (int run = 0; run < 200; ++run) {
    CAPTURE(run);
    const std::uint32_t n = 1 + random() % 5;
    const key_groups groups{128, n};
    consumers<T> c{n};
    auto r = by_key<T>(n);
    std::vector<std::vector<T>> expected(n);
    std::size_t timed_rows = 0;
    for (int batches = 0; batches < 6; ++batches) {
      const auto from = static_cast<std::int64_t>(random() % 1000);
      const auto count = static_cast<std::int64_t>(random() % (random() % 4 ? 50 : batch_of<T>::capacity));
      const bool timed = random() % 3 == 0;
      auto b = rows<T>(from, count, timed);
      timed_rows += timed ? b->size() : 0;
      const auto shared = random() % 2 ? b : batch_ref<batch_of<T>>{};
      r.route(std::move(b), c.writer);
      if (shared) REQUIRE(std::vector<T>(shared->rows().begin(), shared->rows().end()) == numbered<T>(from, count));
      for (auto i = from; i < from + count; ++i) expected[groups.owner_of(key_hash(row_of<T>(i)))].push_back(row_of<T>(i));
      if (random() % 3 == 0) r.flush(c.writer);
    }
    r.flush(c.writer);
    REQUIRE_FALSE(r.holds_rows());
    REQUIRE(c.rows == expected);
    std::size_t times = 0;
    for (std::uint32_t sub = 0; sub < n; ++sub)
      for (auto t : c.times[sub]) times += t != min_time;
    REQUIRE(times <= timed_rows);
    REQUIRE(times + 6 >= timed_rows);
  }
}

TEST_CASE("each row that is sent by key keeps its own event time") {
  consumers<std::string> c{3};
  auto r = by_key<std::string>(3);
  r.route(rows<std::string>(0, 300), c.writer);
  r.route(rows<std::string>(300, 300, true), c.writer);
  r.flush(c.writer);
  for (std::uint32_t sub = 0; sub < 3; ++sub) {
    REQUIRE(c.times[sub].size() == c.rows[sub].size());
    for (std::size_t i = 0; i < c.rows[sub].size(); ++i) {
      const auto n = std::stoll(c.rows[sub][i]);
      REQUIRE(c.times[sub][i] == (n < 300 ? min_time : timestamp{std::chrono::microseconds{n}}));
    }
  }
}
