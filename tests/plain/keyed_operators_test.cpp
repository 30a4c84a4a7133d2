#include "actors/aggregates.hpp"
#include "actors/operators/aggregate.hpp"
#include "actors/operators/process.hpp"
#include "actors/operators/reduce.hpp"
#include "actors/operators/running.hpp"
#include "tests/plain/one_stage.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace spillway;
using namespace spillway::tests;

namespace {

using numbers = std::vector<std::int64_t>;
using sums = std::vector<keyed<std::int64_t, std::int64_t>>;

constexpr auto last_digit = [](const std::int64_t& x) { return x % 10; };
using digit_of = std::remove_const_t<decltype(last_digit)>;
constexpr auto itself = [](const std::int64_t& x) { return x; };

const stage_context alone{"step", 0, 1, {16, 1}, nullptr};
const auto sum_of_rows = sum(itself).for_rows<std::int64_t>();
using sum_aggregate = std::remove_const_t<decltype(sum_of_rows)>;
using sum_shape = detail::keyed_shape<std::int64_t, std::int64_t>;

auto running_sum() {
  using stage = running_stage<std::int64_t, digit_of, sum_aggregate, sum_shape>;
  return one_stage<keyed<std::int64_t, std::int64_t>>{std::make_unique<stage>(last_digit, sum_of_rows, sum_shape{}, alone)};
}
auto sum_at_end() {
  using stage = aggregate_stage<std::int64_t, digit_of, sum_aggregate, sum_shape>;
  return one_stage<keyed<std::int64_t, std::int64_t>>{std::make_unique<stage>(last_digit, sum_of_rows, sum_shape{}, alone)};
}

template <class Reply, class K, class Query = value_query>
std::string asked(stage& s, const K& key, Query query = {}) {
  auto k = detail::asked_key(key);
  try {
    return text_of(std::any_cast<Reply>(s.answer({"step", key_hash(k), k, query, typeid(Reply)})));
  } catch (const query_error& e) {
    return e.what();
  }
}

template <class Rows>
Rows by_key(Rows rows) {
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return rows;
}

}  // namespace

TEST_CASE("running gives the value of the key after each row, at the row's time") {
  auto s = running_sum();
  CHECK(s.feed(numbers{1, 2, 11, 21}, {at(1), at(2), at(3), at(4)}).rows() == sums{{1, 1}, {2, 2}, {1, 12}, {1, 33}});
  CHECK(s.times() == std::vector{at(1), at(2), at(3), at(4)});
  CHECK(s.feed(numbers{0, 10}).rows() == sums{{0, 0}, {0, 10}});
  CHECK(s.op().keys() == 3);
  CHECK(s.end().rows().empty());
}

TEST_CASE("aggregate gives one row for each key at the end, as many at a time as there is room for") {
  auto s = sum_at_end();
  s.feed(numbers{1, 2, 11, 21, 5});
  CHECK(s.rows().empty());
  CHECK(by_key(s.end().rows()) == sums{{1, 33}, {2, 2}, {5, 5}});

  using stage = aggregate_stage<std::int64_t, decltype(itself), sum_aggregate, sum_shape>;
  one_stage<keyed<std::int64_t, std::int64_t>> many_keys{std::make_unique<stage>(itself, sum_of_rows, sum_shape{}, alone)};
  numbers rows(10'000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int64_t>(i);
  for (std::size_t i = 0; i < rows.size(); i += 1000) many_keys.feed(numbers(rows.begin() + i, rows.begin() + i + 1000));
  many_keys.permits = 1;
  CHECK(many_keys.end().batches.size() == 1);
  many_keys.permits = 100;
  const auto all = by_key(many_keys.work().rows());
  REQUIRE(all.size() == 10'000);
  for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(all[i].value == static_cast<std::int64_t>(i));
}

TEST_CASE("an aggregate of the whole stream has a result even over nothing, and only one") {
  const auto everything = [](const std::int64_t&) { return no_key{}; };
  using shape = detail::value_shape<std::int64_t>;
  using stage = aggregate_stage<std::int64_t, decltype(everything), sum_aggregate, shape>;
  numbers results;
  for (std::uint32_t subtask = 0; subtask < 4; ++subtask) {
    const stage_context ctx{"step", subtask, 4, {16, 4}, nullptr};
    one_stage<std::int64_t> s{std::make_unique<stage>(everything, sum_of_rows, shape{}, ctx)};
    for (auto r : s.end().rows()) results.push_back(r);
  }
  CHECK(results == numbers{0});
}

TEST_CASE("reduce gives the first row of a key as it is, then what was made of it and the next") {
  const auto larger_first = [](const std::int64_t& a, const std::int64_t& b) { return std::max(a, b) * 10; };
  using A = detail::reduction<std::int64_t, decltype(larger_first)>;
  using shape = detail::value_shape<std::int64_t>;
  const auto parity = [](const std::int64_t& x) { return x % 2 == 0; };
  one_stage<std::int64_t> s{
      std::make_unique<running_stage<std::int64_t, decltype(parity), A, shape>>(parity, A{larger_first}, shape{}, alone)};
  CHECK(s.feed(numbers{3, 2, 5, 1, 4}).rows() == numbers{3, 2, 50, 500, 40});
  CHECK(asked<std::int64_t>(s.op(), false) == "500");
  CHECK(asked<std::int64_t>(s.op(), 1) == "40");
  CHECK(asked<std::int64_t>(s.op(), 2) == "step 'step': 2 does not fit its key type, bool");
}

TEST_CASE("the value of a key can be asked for, also as an optional; a wrong type is named") {
  for (bool at_end : {false, true}) {
    auto s = at_end ? sum_at_end() : running_sum();
    s.feed(numbers{1, 11});
    CHECK(asked<std::int64_t>(s.op(), 1) == "12");
    CHECK(asked<std::optional<std::int64_t>>(s.op(), 1U) == "12");
    CHECK(asked<std::optional<std::int64_t>>(s.op(), 2) == "");
    CHECK(asked<std::int64_t>(s.op(), 2) == "step 'step' has no value for this key (ask for a std::optional to allow that)");
    CHECK(asked<double>(s.op(), 1) == "step 'step' replies with long, but double was asked for");
    CHECK(asked<std::int64_t>(s.op(), "one") == "step 'step' has keys of type long, but was asked with std::string");
    CHECK(asked<std::int64_t>(s.op(), 1, 5.0) == "step 'step' answers only with its value, but was asked a double");
    CHECK(s.op().keys() == 1);
  }
}

TEST_CASE("every integer type can be a key that is asked for by its number") {
  const auto value_of = [](auto key_of, auto asked_for) {
    using shape = detail::value_shape<std::int64_t>;
    using stage = running_stage<std::int64_t, decltype(key_of), sum_aggregate, shape>;
    one_stage<std::int64_t> s{std::make_unique<stage>(key_of, sum_of_rows, shape{}, alone)};
    s.feed(numbers{-1, 65});
    return asked<std::int64_t>(s.op(), asked_for);
  };
  CHECK(value_of([](std::int64_t x) { return static_cast<char>(x); }, 'A') == "65");
  CHECK(value_of([](std::int64_t x) { return static_cast<std::int8_t>(x); }, -1) == "-1");
  CHECK(value_of([](std::int64_t x) { return static_cast<std::uint16_t>(x); }, 65535) == "-1");
  CHECK(value_of([](std::int64_t x) { return static_cast<std::uint16_t>(x); }, -1) ==
        "step 'step': -1 does not fit its key type, unsigned short");
  CHECK(value_of([](std::int64_t x) { return static_cast<std::uint64_t>(x); }, -1) ==
        "step 'step': -1 does not fit its key type, unsigned long");
  CHECK(value_of([](std::int64_t x) { return static_cast<std::uint64_t>(x); }, -1LL) ==
        "step 'step': -1 does not fit its key type, unsigned long");
  CHECK(value_of([](std::int64_t x) { return x; }, ~std::uint64_t{0}) ==
        "step 'step': 18446744073709551615 does not fit its key type, long");
  CHECK(value_of([](std::int64_t x) { return static_cast<std::int8_t>(x); }, ~std::uint64_t{0}) ==
        "step 'step': 18446744073709551615 does not fit its key type, signed char");
  CHECK(value_of([](std::int64_t x) { return static_cast<std::int8_t>(x); }, 65ULL) == "65");
  CHECK(value_of([](std::int64_t x) { return static_cast<std::uint64_t>(x); }, ~std::uint64_t{0}) == "-1");
}

TEST_CASE("what throws in an aggregate names the row, also in a key function") {
  struct picky {
    void add(std::int64_t& sum, const std::int64_t& x) const { x == 5 ? throw std::runtime_error("no fives") : sum += x; }
    std::int64_t init() const { return 0; }
    std::int64_t result(const std::int64_t& sum) const { return sum > 100 ? throw std::runtime_error("too much") : sum; }
  };
  using run = running_stage<std::int64_t, digit_of, picky, sum_shape>;
  using at_end = aggregate_stage<std::int64_t, digit_of, picky, sum_shape>;
  using out = one_stage<keyed<std::int64_t, std::int64_t>>;
  CHECK(failure_of([] {
          out{std::make_unique<run>(last_digit, picky{}, sum_shape{}, alone)}.feed(numbers{1, 5});
        }) == "5: no fives");
  CHECK(failure_of([] {
          out{std::make_unique<at_end>(last_digit, picky{}, sum_shape{}, alone)}.feed(numbers{1, 5});
        }) == "5: no fives");
  CHECK(failure_of([] {
          out{std::make_unique<run>(last_digit, picky{}, sum_shape{}, alone)}.feed(numbers{1, 101});
        }) == "101: too much");
  const auto throwing_key = [](const std::int64_t& x) { return x < 0 ? throw std::runtime_error("no key") : x; };
  using keyless = running_stage<std::int64_t, decltype(throwing_key), picky, sum_shape>;
  CHECK(failure_of([&] {
          out{std::make_unique<keyless>(throwing_key, picky{}, sum_shape{}, alone)}.feed(numbers{1, -2});
        }) == "-2: key function: no key");
}
