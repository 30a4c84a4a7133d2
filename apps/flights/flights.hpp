#pragma once
// The rows of the flights job and the parts of its pipeline; the app composes them, the tests feed them.
#include <spillway.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace flights {

/// One scheduled flight that was flown. `when` is the scheduled departure, `delay` is in minutes (early is negative), `distance`
/// in miles.
struct flight {
  spillway::timestamp when;
  int delay = 0;
  int distance = 0;
  std::string origin, destination;
};
BOOST_DESCRIBE_STRUCT(flight, (), (when, delay, distance, origin, destination))

/// What is known of the delays of a group of flights. `late_share` is the share delayed by more than 15 minutes.
struct delays {
  struct summary {
    std::int64_t flights = 0;
    double mean_delay = 0;
    int worst_delay = 0;
    double late_share = 0;
  };

  std::int64_t flights = 0, minutes = 0, late = 0;
  int worst = std::numeric_limits<int>::min();

  void add(const flight& f) {
    ++flights;
    minutes += f.delay;
    late += f.delay > 15;
    worst = std::max(worst, f.delay);
  }
  void merge(const delays& o) {
    flights += o.flights;
    minutes += o.minutes;
    late += o.late;
    worst = std::max(worst, o.worst);
  }
  summary result() const {
    const auto n = static_cast<double>(flights);
    return {flights, static_cast<double>(minutes) / n, worst, static_cast<double>(late) / n};
  }
};
BOOST_DESCRIBE_STRUCT(delays, (), (flights, minutes, late, worst))
BOOST_DESCRIBE_STRUCT(delays::summary, (), (flights, mean_delay, worst_delay, late_share))

/// Columns: origin, flights, mean_delay, worst_delay, late_share.
auto by_origin(auto flights) { return flights.key_by(&flight::origin).aggregate("by origin", delays{}); }

/// Columns: day, origin, flights, mean_delay, worst_delay, late_share.
auto by_day(auto flights) {
  auto day = spillway::key("day", [](const flight& f) { return std::chrono::floor<std::chrono::days>(f.when); });
  return flights.key_by(day, &flight::origin).aggregate("by day and origin", delays{});
}

/// The same flights again in each of `years` years from 2001 on.
auto repeated(auto flights, unsigned years) {
  return flights.flat_map("years", [years](const flight& f, spillway::out<flight>& out) {
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(f.when)};
    const auto time_of_day = f.when - std::chrono::sys_days{day};
    for (unsigned y = 0; y < years; ++y) {
      auto again = f;
      again.when = std::chrono::sys_days{day + std::chrono::years{static_cast<int>(y)}} + time_of_day;
      out(again);
    }
  });
}

}  // namespace flights
