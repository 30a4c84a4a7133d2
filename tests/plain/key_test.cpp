#include "messages/key.hpp"

#include "messages/time.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace spillway;

namespace {

enum class colour : std::uint8_t { red, green, blue };

struct place {
  std::string city;
  std::optional<double> height;
  std::int32_t code = 0;
};
BOOST_DESCRIBE_STRUCT(place, (), (city, height, code))

struct raw_pair {
  std::uint32_t a = 0, b = 0;
};

constexpr double a_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

double other_nan() { return std::bit_cast<double>(std::uint64_t{0xfff8'0000'0000'1234}); }

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

std::uint64_t canonical_hash(const auto& key) { return key_hash(canonical(key)); }

std::filesystem::path cases() {
#ifdef SPILLWAY_TEST_CASES
  return SPILLWAY_TEST_CASES;
#else
  return std::filesystem::path{__FILE__}.parent_path().parent_path() / "cases";
#endif
}

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream in{cases() / name, std::ios::binary};
  REQUIRE(in);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool before(const auto& a, const auto& b) { return compare_keys(a, b) < 0; }

/// For keys in ascending order: each is before all that follow it, and equal to itself.
template <class K>
bool ascending(const std::vector<K>& keys) {
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < keys.size(); ++j) {
      if (compare_keys(keys[i], keys[j]) != (i <=> j)) return false;
      if (same_key(keys[i], keys[j]) != (i == j)) return false;
    }
  return true;
}

}  // namespace

template <>
inline constexpr bool spillway::plain_row<raw_pair> = true;

TEST_CASE("the canonical form has one zero and one NaN, at any depth") {
  CHECK(bits(canonical(-0.0)) == bits(0.0));
  CHECK(bits(canonical(other_nan())) == bits(a_nan));
  CHECK(bits(canonical(-a_nan)) == bits(a_nan));
  CHECK(std::bit_cast<std::uint32_t>(canonical(-0.0F)) == 0);
  CHECK(canonical(-1.5) == -1.5);
  CHECK(canonical(-inf) == -inf);
  CHECK(canonical(0.1L) == 0.1L);
  CHECK(canonical(std::numeric_limits<double>::denorm_min()) == std::numeric_limits<double>::denorm_min());

  CHECK(bits(*canonical(std::optional{-0.0})) == bits(0.0));
  CHECK(bits(canonical(std::pair{1, -0.0}).second) == bits(0.0));
  CHECK(bits(std::get<0>(canonical(std::tuple{other_nan(), std::string{"x"}}))) == bits(a_nan));
  CHECK(bits(canonical(std::vector{1.0, -0.0})[1]) == bits(0.0));
  CHECK(bits(*canonical(place{"x", -0.0, 1}).height) == bits(0.0));
  using span = std::chrono::duration<double>;
  CHECK(bits(canonical(span{-0.0}).count()) == bits(0.0));
  using moment = std::chrono::sys_time<span>;
  CHECK(bits(canonical(moment{span{-0.0}}).time_since_epoch().count()) == bits(0.0));
}

TEST_CASE("the canonical form of all else is itself") {
  CHECK(canonical(-7) == -7);
  CHECK(canonical(true));
  CHECK(canonical(colour::blue) == colour::blue);
  CHECK(canonical(std::string{"Ab "}) == "Ab ");
  CHECK(canonical(std::optional<std::string>{}) == std::nullopt);
  CHECK(canonical(timestamp{std::chrono::microseconds{-1}}) == timestamp{std::chrono::microseconds{-1}});
  CHECK(canonical(std::tuple{std::string{"a"}, 1}) == std::tuple{std::string{"a"}, 1});
}

TEST_CASE("equal integers have equal hashes, whatever their width") {
  for (int n : {-128, -2, -1, 0, 1, 2, 100, 127}) {
    const auto hash = key_hash(n);
    CHECK(key_hash(static_cast<std::int8_t>(n)) == hash);
    CHECK(key_hash(static_cast<std::int16_t>(n)) == hash);
    CHECK(key_hash(static_cast<std::int64_t>(n)) == hash);
    if (n < 0) continue;
    CHECK(key_hash(static_cast<std::uint8_t>(n)) == hash);
    CHECK(key_hash(static_cast<std::uint16_t>(n)) == hash);
    CHECK(key_hash(static_cast<std::uint32_t>(n)) == hash);
    CHECK(key_hash(static_cast<std::uint64_t>(n)) == hash);
    CHECK(key_hash(static_cast<char>(n)) == hash);
  }
  CHECK(key_hash(-1) != key_hash(std::uint32_t(-1)));
  CHECK(key_hash(colour::blue) == key_hash(2));
  CHECK(key_hash(true) == key_hash(1));
  CHECK(key_hash(std::pair{std::int8_t{-3}, 4L}) == key_hash(std::pair{-3L, short{4}}));
  CHECK(key_hash(std::pair{1, 2}) == key_hash(std::tuple{1, 2}));
}

TEST_CASE("equal numbers with a point have equal hashes, whatever their width") {
  CHECK(key_hash(0.5F) == key_hash(0.5));
  CHECK(key_hash(-0.0) == key_hash(0.0));
  CHECK(key_hash(other_nan()) == key_hash(a_nan));
  CHECK(key_hash(std::numeric_limits<float>::quiet_NaN()) == key_hash(a_nan));
  CHECK(canonical_hash(std::vector{-0.0, other_nan()}) == canonical_hash(std::vector{0.0, a_nan}));
  CHECK(canonical_hash(place{"x", -0.0, 1}) == canonical_hash(place{"x", 0.0, 1}));
}

TEST_CASE("keys that differ only in their parts' borders, order or number have different hashes") {
  using text = std::string;
  CHECK(key_hash(std::pair{text{"ab"}, text{"c"}}) != key_hash(std::pair{text{"a"}, text{"bc"}}));
  CHECK(key_hash(std::pair{1, 2}) != key_hash(std::pair{2, 1}));
  CHECK(key_hash(std::vector<int>{}) != key_hash(std::vector{0}));
  CHECK(key_hash(std::vector{0}) != key_hash(std::vector{0, 0}));
  CHECK(key_hash(std::optional<text>{}) != key_hash(std::optional<text>{""}));
  CHECK(key_hash(std::optional<int>{}) != key_hash(std::optional<int>{0}));
}

// State and stored data are found by these numbers, which therefore no build and no version may change.
TEST_CASE("the hashes of keys never change") {
  using text = std::string;
  const timestamp moment{std::chrono::microseconds{978'307'200'000'000}};
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> pinned{
      {canonical_hash(std::int8_t{-128}), 0xb1f5682a49918b94},
      {canonical_hash(std::int16_t{-300}), 0xe786faee9b2c2129},
      {canonical_hash(-1), 0x448e29ced4103459},
      {canonical_hash(std::int64_t{-1'000'000'000'000}), 0x59021ab455c907f6},
      {canonical_hash(std::numeric_limits<std::int64_t>::min()), 0x72446bbcf6c799d7},
      {canonical_hash(0), 0x0000000000000000},
      {canonical_hash(1), 0x4179b061e0c0e0d0},
      {canonical_hash(std::uint8_t{200}), 0x50d25262c8edb617},
      {canonical_hash(std::uint16_t{65'535}), 0xbc359294703682b0},
      {canonical_hash(std::uint32_t{4'000'000'000}), 0xd7aeaba3258ec8b8},
      {canonical_hash(std::uint64_t{1} << 63), 0x72446bbcf6c799d7},
      {canonical_hash(true), 0x4179b061e0c0e0d0},
      {canonical_hash(colour::blue), 0x1c9963305febc252},
      {canonical_hash(1.5), 0x17af14cfd2582833},
      {canonical_hash(-0.0), 0x0000000000000000},
      {canonical_hash(a_nan), 0x7f45b3e5de93871e},
      {canonical_hash(-inf), 0x3bce641691c8039f},
      {canonical_hash(0.1F), 0xa414a0b8fb0d4ce3},
      {canonical_hash(text{}), 0x2d06800538d394c2},
      {canonical_hash(text{"a"}), 0xe6c632b61e964e1f},
      {canonical_hash(text{"Zürich"}), 0x0ba44fcc12cca74e},
      {canonical_hash(text(16, 'x')), 0xdf76ff0d7f0d9edf},
      {canonical_hash(text(200, 'x')), 0x50ef124fb1e4de53},
      {canonical_hash(text(300, 'x')), 0xa5d1b4607dc83554},
      {canonical_hash(std::optional<text>{}), 0x9fb21c651e98df25},
      {canonical_hash(std::optional<text>{""}), 0x9d28b17e9b335a11},
      {canonical_hash(std::optional<text>{"a"}), 0x7bbee9b0520d5636},
      {canonical_hash(std::optional<int>{0}), 0xea48f1c108a65336},
      {canonical_hash(std::pair{1, text{"one"}}), 0x777893a132b53f56},
      {canonical_hash(std::tuple{text{"ORD"}, text{"SFO"}, 7}), 0x04d5061aed296ac6},
      {canonical_hash(std::tuple<>{}), 0x2545f4914f6cdd1d},
      {canonical_hash(std::vector<int>{}), 0x0000000000000000},
      {canonical_hash(std::vector{1, 2, 3}), 0x7aebb6fee6c899cc},
      {canonical_hash(place{"Oslo", 23.5, 301}), 0x7ca409210f7e1363},
      {canonical_hash(place{"", std::nullopt, 0}), 0x556f2c7eacbdf114},
      {canonical_hash(moment), 0x527fdc5589b07466},
      {canonical_hash(std::chrono::seconds{-5}), 0x5e04cec6610782e0},
      {canonical_hash(raw_pair{1, 2}), 0x0389e2c8892d5450},
      {canonical_hash(no_key{}), 0x2545f4914f6cdd1d},
  };
  for (std::size_t i = 0; i < pinned.size(); ++i) {
    CAPTURE(i);
    CHECK(pinned[i].first == pinned[i].second);
  }
}

// As above: a key whose group changed would be looked for on another subtask.
TEST_CASE("the key groups of strings never change") {
  const std::map<std::string, std::uint32_t> pinned{
      {"ATL", 117},  {"ORD", 79},   {"SFO", 89},       {"", 22},      {"a", 115},
      {"key-0", 64}, {"key-1", 22}, {"user:4711", 35}, {"Zürich", 5}, {"\U0001F600", 5},
  };
  const key_groups groups{128, 1};
  for (const auto& entry : pinned) {
    CAPTURE(entry.first);
    CHECK(groups.group_of(key_hash(entry.first)) == entry.second);
  }
}

TEST_CASE("every group has one owner, and the ranges of the owners cover all groups in order") {
  for (std::uint32_t count = 1; count <= 1024; count *= 2)
    for (std::uint32_t subtasks = 1; subtasks <= std::min(count, 40U); ++subtasks) {
      const key_groups groups{count, subtasks};
      REQUIRE(groups.first_of(0) == 0);
      REQUIRE(groups.first_of(subtasks) == count);
      for (std::uint32_t s = 0; s < subtasks; ++s) {
        const auto owned = groups.first_of(s + 1) - groups.first_of(s);
        REQUIRE(owned >= count / subtasks);
        REQUIRE(owned <= (count + subtasks - 1) / subtasks);
        for (auto g = groups.first_of(s); g < groups.first_of(s + 1); ++g) REQUIRE(groups.owner_of_group(g) == s);
      }
    }
}

TEST_CASE("a greater hash never has a smaller group or owner") {
  for (std::uint32_t count = 1; count <= 1024; count *= 2)
    for (std::uint32_t subtasks : {1U, 2U, 3U, 7U, 16U, 40U}) {
      if (subtasks > count) continue;
      const key_groups groups{count, subtasks};
      CHECK(groups.owner_of(0) == 0);
      CHECK(groups.owner_of(~std::uint64_t{0}) == subtasks - 1);
      CHECK(groups.group_of(~std::uint64_t{0}) == count - 1);
      std::uint32_t group = 0, owner = 0;
      for (std::uint64_t step = 0; step < 5000; ++step) {
        const auto hash = step * (~std::uint64_t{0} / 5000);
        REQUIRE(groups.group_of(hash) >= group);
        REQUIRE(groups.owner_of(hash) >= owner);
        group = groups.group_of(hash), owner = groups.owner_of(hash);
        REQUIRE(owner == groups.owner_of_group(group));
      }
    }
}

TEST_CASE("there are 128 groups, or 8 for each subtask rounded up to a power of two") {
  CHECK(key_groups::default_count(1) == 128);
  CHECK(key_groups::default_count(16) == 128);
  CHECK(key_groups::default_count(17) == 256);
  CHECK(key_groups::default_count(100) == 1024);
}

TEST_CASE("strings are ordered by their bytes, and a composed and a decomposed letter are two keys") {
  auto keys = lines_of("c32-keys.txt");
  const auto expected = lines_of("c32-expected.txt");
  REQUIRE(expected.size() == 7);
  std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return before(a, b); });
  keys.erase(std::unique(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return same_key(a, b); }), keys.end());
  CHECK(keys == expected);
  CHECK(key_hash(std::string{"\u00e9"}) != key_hash(std::string{"e\u0301"}));
}

TEST_CASE("keys are ordered: null first, NaN last, shorter before longer, members one by one") {
  using text = std::string;
  using maybe = std::optional<text>;
  CHECK(ascending<std::int64_t>({std::numeric_limits<std::int64_t>::min(), -1, 0, 1, std::numeric_limits<std::int64_t>::max()}));
  CHECK(ascending<std::uint64_t>({0, 1, std::numeric_limits<std::uint64_t>::max()}));
  CHECK(ascending<colour>({colour::red, colour::green, colour::blue}));
  CHECK(ascending<double>({-inf, -1, 0, 1e-300, 1, inf, a_nan}));
  CHECK(ascending<text>({"", text(1, '\0'), "a", text("a\0", 2), "a ", "aa", "b", "\x7f", "\x80", "\xff"}));
  CHECK(ascending<maybe>({std::nullopt, "", "a"}));
  CHECK(ascending<std::vector<int>>({{}, {1}, {1, 1}, {1, 2}, {2}}));
  CHECK(ascending<std::pair<int, maybe>>({{1, std::nullopt}, {1, ""}, {2, std::nullopt}}));
  CHECK(ascending<std::tuple<text, int>>({{"a", 2}, {"b", 1}, {"b", 2}}));
  CHECK(ascending<place>({{"a", std::nullopt, 9}, {"a", 1.0, 1}, {"a", 1.0, 2}, {"a", a_nan, 0}, {"b", std::nullopt, 0}}));
  CHECK(ascending<timestamp>({min_time, timestamp{}, max_time}));
  CHECK(ascending<raw_pair>({{0, 0}, {0, 1}, {1, 0}}));
  CHECK(same_key(no_key{}, no_key{}));
}

TEST_CASE("NaN is one key, and zero is one key") {
  CHECK(same_key(a_nan, other_nan()));
  CHECK(same_key(0.0, -0.0));
  CHECK_FALSE(same_key(a_nan, inf));
  CHECK(same_key(std::optional{a_nan}, std::optional{a_nan}));
}

namespace {

/// How uneven `hits` is: about the number of its cells, give or take a few times the root of twice that, if all are as likely.
double chi_square(const std::vector<std::uint32_t>& hits, double total) {
  const auto expected = total / static_cast<double>(hits.size());
  double sum = 0;
  for (auto n : hits) sum += (n - expected) * (n - expected) / expected;
  return sum;
}

}  // namespace

TEST_CASE("keys in a row, and in steps, spread evenly over groups and low bits") {
  constexpr std::uint64_t keys = 1'000'000;
  const key_groups groups{128, 1};
  for (std::uint64_t step : {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{1} << 20, std::uint64_t{1} << 40}) {
    CAPTURE(step);
    std::vector<std::uint32_t> by_group(128), by_low_bits(4096);
    for (std::uint64_t i = 0; i < keys; ++i) {
      const auto hash = key_hash(i * step);
      ++by_group[groups.group_of(hash)];
      ++by_low_bits[hash & 4095];
    }
    CHECK(std::ranges::min(by_group) > 0.9 * keys / 128);
    CHECK(std::ranges::max(by_group) < 1.1 * keys / 128);
    CHECK(chi_square(by_group, keys) < 128 + 6 * 16);
    CHECK(chi_square(by_low_bits, keys) < 4096 + 6 * 91);
  }
}
