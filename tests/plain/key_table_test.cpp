#include "storage/key_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <tuple>

using namespace spillway;

namespace {

template <class K>
struct by_key_order {
  bool operator()(const K& a, const K& b) const { return compare_keys(a, b) < 0; }
};

/// A table beside a map that must always hold the same.
template <class K>
class table_and_map {
 public:
  using hash_function = std::uint64_t (*)(const K&);

  table_and_map(std::uint32_t groups, hash_function hash) : table_({groups, 1}, 0), hash_(hash) {}

  void add(const K& key) {
    const auto k = canonical(key);
    auto& value = table_.at(hash_(k), k, 7);
    REQUIRE(value == map_.try_emplace(k, 7).first->second);
    value = ++map_[k];
  }

  void erase(const K& key) {
    const auto k = canonical(key);
    table_.erase(hash_(k), k);
    map_.erase(k);
    REQUIRE(table_.find(hash_(k), k) == nullptr);
  }

  void look_up(const K& key) {
    const auto k = canonical(key);
    const auto* value = table_.find(hash_(k), k);
    const auto expected = map_.find(k);
    REQUIRE((value != nullptr) == (expected != map_.end()));
    if (value) REQUIRE(*value == expected->second);
  }

  /// In pieces, which a caller that runs out of room takes.
  void walk(std::size_t piece) {
    std::map<K, int, by_key_order<K>> seen;
    typename key_table<K, int>::cursor at;
    for (bool all = false; !all;) {
      std::size_t n = 0;
      all = table_.walk(at, [&](const K& key, int value) {
        REQUIRE(seen.emplace(key, value).second);
        return ++n < piece;
      });
    }
    const auto same = [](const auto& a, const auto& b) { return same_key(a.first, b.first) && a.second == b.second; };
    REQUIRE(std::equal(seen.begin(), seen.end(), map_.begin(), map_.end(), same));
    REQUIRE(table_.size() == map_.size());
  }

 private:
  key_table<K, int> table_;
  std::map<K, int, by_key_order<K>> map_;
  hash_function hash_;
};

template <class K, class Make>
void try_all(std::uint32_t groups, std::uint64_t (*hash)(const K&), Make make) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    table_and_map<K> both{groups, hash};
    const auto different = std::uniform_int_distribution{1, 600}(random);
    for (int i = 0; i < 3000; ++i) {
      const K key = make(static_cast<int>(random() % different));
      switch (random() % 8) {
        case 0:
        case 1:
        case 2:
          both.erase(key);
          break;
        case 3:
          both.look_up(key);
          break;
        default:
          both.add(key);
      }
      if (i % 500 == 0) both.walk(1 + random() % 10);
    }
    both.walk(1'000'000);
  }
}

double some_double(int i) {
  constexpr double special[] = {0.0, -0.0, std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity()};
  return i < 5 ? special[i] : i / 3.0;
}

}  // namespace

TEST_CASE("a table of keys holds what a map does, whatever the keys and the groups") {
  for (std::uint32_t groups : {1u, 128u, 1024u}) {
    CAPTURE(groups);
    try_all<std::int64_t>(groups, key_hash, [](int i) { return i - 300; });
    try_all<std::string>(groups, key_hash, [](int i) { return std::string(i % 40, 'x') + std::to_string(i); });
    try_all<double>(groups, key_hash, some_double);
    try_all<std::tuple<std::string, int>>(groups, key_hash, [](int i) { return std::tuple{std::to_string(i % 7), i}; });
  }
}

TEST_CASE("equal hashes of different keys are told apart by the key, also around the end of a group's slots") {
  for (std::uint32_t groups : {1u, 4u}) {
    CAPTURE(groups);
    try_all<int>(
        groups, [](const int& k) -> std::uint64_t { return k % 3; }, [](int i) { return i % 50; });
    try_all<int>(
        groups, [](const int& k) { return ~std::uint64_t{0} - k % 3; }, [](int i) { return i % 50; });
  }
}

TEST_CASE("a key whose hash is 0 survives growth") {
  key_table<int, int> table{{1, 1}, 0};
  REQUIRE(key_hash(0) == 0);
  table.at(0, 0, 5) = 6;
  for (int key = 1; key < 1000; ++key) table.at(key_hash(key), key, 0);
  CHECK(table.at(0, 0, 5) == 6);
  CHECK(table.size() == 1000);
  table.erase(0, 0);
  CHECK(table.find(0, 0) == nullptr);
  CHECK(table.size() == 999);
}

TEST_CASE("NaN is a key like any other, and -0.0 is the key 0.0") {
  key_table<double, int> table{{8, 1}, 0};
  for (double key : {0.0, -0.0, std::nan("1"), -std::nan("2")}) ++table.at(key_hash(key), canonical(key), 0);
  CHECK(table.size() == 2);
  CHECK(*table.find(key_hash(0.0), 0.0) == 2);
  CHECK(*table.find(key_hash(std::nan("")), canonical(std::nan(""))) == 2);
}

TEST_CASE("each subtask's table has room for the key groups it owns") {
  const key_groups groups{1024, 3};
  std::vector<key_table<int, int>> tables;
  for (std::uint32_t subtask = 0; subtask < 3; ++subtask) tables.emplace_back(groups, subtask);
  for (int key = 0; key < 5000; ++key) tables[groups.owner_of(key_hash(key))].at(key_hash(key), key, key);
  std::size_t all = 0;
  for (auto& t : tables) all += t.size();
  CHECK(all == 5000);
  for (int key = 0; key < 5000; ++key) REQUIRE(*tables[groups.owner_of(key_hash(key))].find(key_hash(key), key) == key);
}

TEST_CASE("a table that is moved takes its entries along") {
  key_table<std::string, std::string> table{{2, 1}, 0};
  const std::string key(100, 'k');
  table.at(key_hash(key), key, std::string(100, 'v'));
  auto other = std::move(table);
  key_table<std::string, std::string> third{{2, 1}, 0};
  third = std::move(other);
  CHECK(*third.find(key_hash(key), key) == std::string(100, 'v'));
}
