#include "storage/key_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

using namespace spillway;

namespace {

struct directory : key_directory<std::string> {
  directory() : key_directory{{16, 1}, 0} {}
  std::uint32_t number(const std::string& key) { return at(key_hash(key), key); }
  void drop(const std::string& key) { erase(key_hash(key), key); }
};

}  // namespace

TEST_CASE("each key has a number, the same whenever it is asked for") {
  directory d;
  CHECK(d.number("a") == 0);
  CHECK(d.number("b") == 1);
  CHECK(d.number("a") == 0);
  CHECK(*d.find(key_hash<std::string>("b"), "b") == 1);
  CHECK(d.find(key_hash<std::string>("c"), "c") == nullptr);
  CHECK(d.size() == 2);
}

TEST_CASE("numbers of erased keys are used again") {
  directory d;
  for (const char* key : {"a", "b", "c"}) d.number(key);
  d.drop("b");
  d.drop("never there");
  CHECK(d.spare() == 1);
  CHECK(d.number("d") == 1);
  CHECK(d.number("e") == 3);
  d.drop("a");
  CHECK(d.number("c") == 2);
  CHECK(d.number("a") == 0);
}

TEST_CASE("no two keys share a number, and no number is larger than there ever were keys") {
  directory d;
  std::map<std::string, std::uint32_t> numbers;
  std::mt19937 random{1};
  std::size_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto key = std::to_string(random() % 300);
    if (random() % 2) {
      const auto number = d.number(key);
      REQUIRE(numbers.try_emplace(key, number).first->second == number);
    } else {
      d.drop(key);
      numbers.erase(key);
    }
    most = std::max(most, numbers.size());
    if (i % 1000 == 0) {
      std::map<std::string, std::uint32_t> seen;
      std::vector<bool> used(most);
      directory::cursor at;
      d.walk(at, [&](const std::string& k, std::uint32_t n) {
        REQUIRE(n < most);
        REQUIRE_FALSE(used[n]);
        used[n] = true;
        return seen.emplace(k, n).second;
      });
      REQUIRE(seen == numbers);
    }
  }
}
