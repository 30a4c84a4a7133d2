#include "actors/operators/process.hpp"
#include "tests/plain/one_stage.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace spillway;
using namespace spillway::tests;

namespace {

using numbers = std::vector<std::int64_t>;
using words = std::vector<std::string>;

struct how_many {
  int add = 0;
};
struct unwell {};

/// Counts the rows of each key, the number without its sign. A negative row forgets its key; those from 100 to 999 are not
/// counted.
struct counting : keyed_operator<std::int64_t, std::int64_t, std::string> {
  void on_row(const std::int64_t& x, auto& ctx) {
    if (x == 13) throw std::runtime_error("unlucky");
    if (x < 0) return count_.clear(), last_.clear();
    if (x >= 100 && x < 1000) return;
    ctx.emit(std::to_string(ctx.key()) + ":" + std::to_string(++*count_));
    if (*count_ > 1) *last_ = ctx.time();
  }
  void on_end(auto& ctx) { ctx.emit("end " + std::to_string(ctx.key()) + ":" + std::to_string(*count_.find())); }
  std::int64_t on_query(const how_many& q) {
    if (q.add < 0) throw std::runtime_error("cannot add that");
    return *count_ + q.add;
  }

  value_state<std::int64_t> count_{this, "count"};
  value_state<timestamp> last_{this, "last"};
};

constexpr auto size_of = [](const std::int64_t& x) { return x < 0 ? -x : x; };
using counting_stage = keyed_process_stage<std::int64_t, std::remove_const_t<decltype(size_of)>, counting>;
const stage_context alone{"step", 0, 1, {16, 1}, nullptr};

one_stage<std::string> counter() {
  return one_stage<std::string>{std::make_unique<counting_stage>(size_of, op<counting>().make(), alone)};
}

template <class Reply, class Query>
std::string asked(stage& s, std::int64_t key, Query query) {
  try {
    return text_of(std::any_cast<Reply>(s.answer({"step", key_hash(key), key, query, typeid(Reply)})));
  } catch (const std::exception& e) {
    return e.what();
  }
}

words sorted(words all) {
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("a keyed operator's state is that of the key at hand") {
  auto c = counter();
  CHECK(c.feed(numbers{1, 2, 1, 1}).rows() == words{"1:1", "2:1", "1:2", "1:3"});
  CHECK(c.op().keys() == 2);
  CHECK(sorted(c.end().rows()) == words{"end 1:3", "end 2:1"});
}

TEST_CASE("keys without state leave nothing behind") {
  auto c = counter();
  c.feed(numbers{100, 200, 300});
  CHECK(c.op().keys() == 0);
  c.feed(numbers{1, 1, 2});
  CHECK(c.op().keys() == 2);
  c.feed(numbers{-1, -1, -7});
  CHECK(c.op().keys() == 1);
  c.rows();
  CHECK(c.feed(numbers{3, 1, 2}).rows() == words{"3:1", "1:1", "2:2"});
  CHECK(sorted(c.end().rows()) == words{"end 1:1", "end 2:2", "end 3:1"});
}

TEST_CASE("states of random keys that come and go are those of a map") {
  auto c = counter();
  std::map<std::int64_t, std::int64_t> counts;
  std::mt19937 random{3};
  for (int i = 0; i < 500; ++i) {
    numbers rows;
    words expected;
    for (int n = 0; n < 20; ++n) {
      auto x = static_cast<std::int64_t>(14 + random() % 60);
      if (random() % 3 == 0) {
        counts.erase(x);
        x = -x;
      } else {
        expected.push_back(std::to_string(x) + ":" + std::to_string(++counts[x]));
      }
      rows.push_back(x);
    }
    REQUIRE(c.feed(rows).rows() == expected);
    REQUIRE(c.op().keys() == counts.size());
  }
}

TEST_CASE("a keyed operator is asked about one key, with the types it says") {
  auto c = counter();
  c.feed(numbers{1, 1, 2});
  CHECK(asked<std::int64_t>(c.op(), 1, how_many{40}) == "42");
  CHECK(asked<std::int64_t>(c.op(), 2, how_many{}) == "1");
  CHECK(asked<std::int64_t>(c.op(), 1, how_many{-1}) == "cannot add that");
  CHECK(asked<int>(c.op(), 1, how_many{}) == "step 'step' replies with long, but int was asked for");
  CHECK(asked<std::int64_t>(c.op(), 1, value_query{}) ==
        "step 'step' answers a (anonymous namespace)::how_many, but was asked a spillway::value_query");
}

TEST_CASE("a question about a key without state sees an empty state and leaves nothing behind") {
  auto c = counter();
  c.feed(numbers{1, 1});
  CHECK(asked<std::int64_t>(c.op(), 5, how_many{}) == "0");
  CHECK(asked<std::int64_t>(c.op(), 5, how_many{-1}) == "cannot add that");
  CHECK(asked<std::int64_t>(c.op(), 6, unwell{}).starts_with("step 'step' answers a"));
  CHECK(c.op().keys() == 1);
  c.rows();
  CHECK(c.feed(numbers{5, 6}).rows() == words{"5:1", "6:1"});
}

TEST_CASE("questions while the keys are walked at the end change nothing about it") {
  auto c = counter();
  for (std::int64_t key = 1000; key < 8000; ++key) c.feed(numbers{key});
  c.rows();
  c.permits = 1;
  c.end();
  for (int batches = 1; batches < 10; ++batches) {
    for (std::int64_t key = 8000; key < 9000; ++key) REQUIRE(asked<std::int64_t>(c.op(), key, how_many{}) == "0");
    c.permits = 1;
    c.work();
  }
  CHECK(c.batches.size() > 7003);
  const auto all = sorted(c.rows());
  REQUIRE(all.size() == 7000);
  for (std::int64_t key = 1000; key < 8000; ++key) REQUIRE(all[key - 1000] == "end " + std::to_string(key) + ":1");
}

TEST_CASE("what throws on a row of a keyed operator names the row") {
  auto c = counter();
  CHECK(failure_of([&] { c.feed(numbers{1, 13, 2}); }) == "13: unlucky");
}

TEST_CASE("a state begins as its type does, also a second time") {
  struct owner : detail::state_owner {
    value_state<std::string> text{this, "text"};
  } o;
  o.select_key(70);
  CHECK(o.text.empty());
  CHECK(o.text.find() == nullptr);
  CHECK_FALSE(o.has_state(70));
  *o.text = "seventy";
  CHECK(o.text->size() == 7);
  CHECK(o.has_state(70));
  o.select_key(3);
  CHECK(o.text.empty());
  o.select_key(70);
  CHECK(*o.text.find() == "seventy");
  o.text.clear();
  CHECK(o.text.empty());
  CHECK(*o.text == "");
  CHECK_FALSE(o.text.empty());
  o.clear_states(70);
  CHECK(o.text.empty());
}
