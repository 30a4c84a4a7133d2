#include "flights/flights.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace sw = spillway;
using namespace std::chrono_literals;
using flights::flight;

namespace {

sw::timestamp at(std::chrono::year_month_day day, std::chrono::minutes time = 0min) { return std::chrono::sys_days{day} + time; }

constexpr auto jan_1 = std::chrono::year{2001} / 1 / 1, jan_2 = std::chrono::year{2001} / 1 / 2;

const std::vector<flight> three_airports{
    {at(jan_1, 1min), 16, 405, "MCI", "MDW"},    {at(jan_1, 330min), -11, 370, "LAX", "PHX"},
    {at(jan_1, 1439min), 15, 405, "MCI", "MDW"}, {at(jan_2), -3, 370, "LAX", "PHX"},
    {at(jan_2, 1min), 41, 405, "MCI", "STL"},    {at(jan_2, 2min), 0, 239, "HOU", "DAL"},
};

using texts = std::vector<std::string>;

/// The rows that `part` makes of `rows`, as sorted text: the same at any parallelism and however the rows are cut into batches.
template <class F>
texts run(const F& part, const std::vector<flight>& rows) {
  texts all, first;
  for (const std::uint32_t parallelism : {1, 4})
    for (const auto batch_rows : {std::size_t{1}, std::numeric_limits<std::size_t>::max()}) {
      CAPTURE(parallelism);
      CAPTURE(batch_rows);
      sw::pipeline p;
      auto given = part(p.read("flights", sw::from_vector<flight>{.rows = rows, .batch_rows = batch_rows}));
      std::vector<typename decltype(given)::row_type> out;
      given.write(sw::to_vector{out});
      sw::options how;
      how.parallelism = parallelism;
      REQUIRE(sw::run(p, how) == sw::job_phase::finished);
      all.clear();
      for (const auto& row : out) all.push_back(sw::text_of(row));
      std::sort(all.begin(), all.end());
      if (first.empty()) first = all;
      CHECK(all == first);
    }
  return all;
}

constexpr auto by_origin = [](auto s) { return flights::by_origin(s); };
constexpr auto by_day = [](auto s) { return flights::by_day(s); };
auto repeated(int years) {
  return [years](auto s) { return flights::repeated(s, years); };
}

}  // namespace

TEST_CASE("the delays of an origin are counted, averaged, and late above 15 minutes") {
  CHECK(run(by_origin, three_airports) ==
        texts{"{key: HOU, value: {flights: 1, mean_delay: 0, worst_delay: 0, late_share: 0}}",
              "{key: LAX, value: {flights: 2, mean_delay: -7, worst_delay: -3, late_share: 0}}",
              "{key: MCI, value: {flights: 3, mean_delay: 24, worst_delay: 41, late_share: 0.6666666666666666}}"});
}

TEST_CASE("a day of an origin goes from midnight to midnight") {
  CHECK(run(by_day, three_airports) ==
        texts{"{key: (2001-01-01, LAX), value: {flights: 1, mean_delay: -11, worst_delay: -11, late_share: 0}}",
              "{key: (2001-01-01, MCI), value: {flights: 2, mean_delay: 15.5, worst_delay: 16, late_share: 0.5}}",
              "{key: (2001-01-02, HOU), value: {flights: 1, mean_delay: 0, worst_delay: 0, late_share: 0}}",
              "{key: (2001-01-02, LAX), value: {flights: 1, mean_delay: -3, worst_delay: -3, late_share: 0}}",
              "{key: (2001-01-02, MCI), value: {flights: 1, mean_delay: 41, worst_delay: 41, late_share: 1}}"});
}

TEST_CASE("results have flat columns") {
  sw::pipeline p;
  auto all = p.read(sw::from(three_airports));
  CHECK(flights::by_origin(all).columns() == texts{"origin", "flights", "mean_delay", "worst_delay", "late_share"});
  CHECK(flights::by_day(all).columns() == texts{"day", "origin", "flights", "mean_delay", "worst_delay", "late_share"});
}

TEST_CASE("flights repeat at the same day and time of later years") {
  const std::vector<flight> one{{at(std::chrono::year{2001} / 3 / 31, 1439min), 5, 405, "MCI", "MDW"}};
  CHECK(run(repeated(3), one) == texts{"{when: 2001-03-31T23:59:00Z, delay: 5, distance: 405, origin: MCI, destination: MDW}",
                                       "{when: 2002-03-31T23:59:00Z, delay: 5, distance: 405, origin: MCI, destination: MDW}",
                                       "{when: 2003-03-31T23:59:00Z, delay: 5, distance: 405, origin: MCI, destination: MDW}"});
  CHECK(run(repeated(1), three_airports).size() == three_airports.size());
  CHECK(run(repeated(0), three_airports).empty());
}

TEST_CASE("parts go together") {
  const auto both = [](auto s) { return flights::by_origin(flights::repeated(s, 1000)); };
  CHECK(run(both, three_airports) ==
        texts{"{key: HOU, value: {flights: 1000, mean_delay: 0, worst_delay: 0, late_share: 0}}",
              "{key: LAX, value: {flights: 2000, mean_delay: -7, worst_delay: -3, late_share: 0}}",
              "{key: MCI, value: {flights: 3000, mean_delay: 24, worst_delay: 41, late_share: 0.6666666666666666}}"});
}

TEST_CASE("without flights there are no results") {
  CHECK(run(by_origin, {}).empty());
  CHECK(run(by_day, {}).empty());
}
