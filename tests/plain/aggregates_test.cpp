#include "actors/aggregates.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
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

}  // namespace

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
