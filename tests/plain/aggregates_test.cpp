#include "actors/aggregates.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace {

struct reading {
  std::optional<int> celsius;
  std::string place;
};

template <class A>
auto over(const A& deferred, const std::vector<reading>& rows) {
  const auto a = deferred.template for_rows<reading>();
  auto state = a.init();
  for (const auto& row : rows) a.add(state, row);
  return a.result(state);
}

constexpr auto no_number = std::numeric_limits<double>::quiet_NaN();
constexpr auto infinity = std::numeric_limits<double>::infinity();

struct same {
  template <class V>
  const V& operator()(const V& value) const {
    return value;
  }
};

std::string text_of(double x) { return std::isnan(x) ? "nan" : std::to_string(x); }
std::string text_of(const std::optional<double>& x) { return x ? text_of(*x) : "null"; }
std::string text_of(const spillway::many<double>& x) {
  std::string text;
  for (auto row : x.rows) text += text_of(row) + ' ';
  return text;
}

/// What `deferred` makes of `values`; fails if that depends on their order, or on where they are cut into two states to be
/// merged.
template <class A>
std::string in_any_order(const A& deferred, std::vector<double> values) {
  const auto a = deferred.template for_rows<double>();
  std::vector<std::size_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::string expected;
  do {
    for (std::size_t cut = 0; cut <= order.size(); ++cut) {
      auto first = a.init(), second = a.init();
      for (std::size_t i = 0; i < order.size(); ++i) a.add(i < cut ? first : second, values[order[i]]);
      a.merge(first, second);
      const auto text = text_of(a.result(first));
      if (expected.empty()) expected = text;
      CHECK(text == expected);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return expected;
}

}  // namespace

TEST_CASE("NaN is greater than every number for min, max and top, in whatever order rows arrive and states are merged") {
  const std::vector<double> some{no_number, 2, -infinity, -no_number, infinity};
  CHECK(in_any_order(spillway::min(same{}), some) == text_of(-infinity));
  CHECK(in_any_order(spillway::max(same{}), some) == "nan");
  CHECK(in_any_order(spillway::top(3, same{}), some) == "nan nan " + text_of(infinity) + ' ');
  CHECK(in_any_order(spillway::top(9, same{}), {1, no_number, 0}) == "nan " + text_of(1.0) + ' ' + text_of(0.0) + ' ');
  CHECK(in_any_order(spillway::min(same{}), {no_number, no_number}) == "nan");
  CHECK(in_any_order(spillway::max(same{}), {3, 1, 2}) == text_of(3.0));
}

TEST_CASE("NaN is greater than every number inside durations, optionals, tuples and lists, too") {
  using spillway::detail::ordered_before;
  using seconds = std::chrono::duration<double>;
  CHECK((ordered_before(seconds{1}, seconds{no_number}) && !ordered_before(seconds{no_number}, seconds{1})));
  CHECK(ordered_before(std::optional<double>{}, std::optional{no_number}));
  CHECK(ordered_before(std::optional{1.0}, std::optional{no_number}));
  CHECK_FALSE(ordered_before(std::optional{no_number}, std::optional{no_number}));
  CHECK(ordered_before(std::tuple{no_number, 1}, std::tuple{no_number, 2}));
  CHECK(ordered_before(std::tuple{1.0, 2}, std::tuple{no_number, 1}));
  CHECK_FALSE(ordered_before(std::pair{no_number, 1}, std::pair{no_number, 1}));
  CHECK(ordered_before(std::vector{1.0, 2.0}, std::vector{1.0, no_number}));
  CHECK(ordered_before(std::vector{no_number}, std::vector{no_number, 0.0}));
}

TEST_CASE("null values are left out of sum, min, max and mean") {
  const std::vector<reading> rows{{std::nullopt, "a"}, {-2, "b"}, {4, "c"}, {std::nullopt, "d"}};
  CHECK(over(spillway::sum(&reading::celsius), rows) == 2);
  CHECK(over(spillway::min(&reading::celsius), rows) == -2);
  CHECK(over(spillway::max(&reading::celsius), rows) == 4);
  CHECK(over(spillway::mean(&reading::celsius), rows) == 1.0);
}

TEST_CASE("over nothing, or over nulls only, there is no least, greatest or mean value, and the sum is 0") {
  for (const auto& rows : {std::vector<reading>{}, std::vector<reading>{{std::nullopt, "a"}}}) {
    CHECK(over(spillway::sum(&reading::celsius), rows) == 0);
    CHECK(over(spillway::min(&reading::celsius), rows) == std::nullopt);
    CHECK(over(spillway::max(&reading::celsius), rows) == std::nullopt);
    CHECK(over(spillway::mean(&reading::celsius), rows) == std::nullopt);
  }
}

TEST_CASE("top keeps the greatest rows, greatest first, ties in order of arrival") {
  const std::vector<reading> rows{{1, "a"}, {3, "b"}, {2, "c"}, {3, "d"}};
  const auto best = over(spillway::top(3, [](const reading& r) { return *r.celsius; }), rows).rows;
  REQUIRE(best.size() == 3);
  CHECK(best[0].place + best[1].place + best[2].place == "bdc");
  CHECK(over(spillway::top(0, [](const reading& r) { return *r.celsius; }), rows).rows.empty());
}
