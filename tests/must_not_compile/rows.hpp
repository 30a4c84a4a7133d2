#pragma once
// What the cases start from. Each of them is a program with one mistake.
#include <spillway.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sw = spillway;

struct flight {
  sw::timestamp when;
  int delay = 0;
  std::string origin, destination;
};
BOOST_DESCRIBE_STRUCT(flight, (), (when, delay, origin, destination))

struct city {
  std::string name;
  int people = 0;
};
BOOST_DESCRIBE_STRUCT(city, (), (name, people))

/// Nobody described it.
struct undescribed {
  std::string name;
};

struct delays {
  int minutes = 0;
  void add(const flight& f) { minutes += f.delay; }
};
BOOST_DESCRIBE_STRUCT(delays, (), (minutes))

using flights = sw::stream<flight, sw::bounded>;
using live_flights = sw::stream<flight, sw::unbounded>;
using cities = sw::stream<city, sw::bounded>;

/// A sink of any row, and an end for each case: nothing behind a mistake should add to its message.
inline auto nowhere() {
  return sw::to_callback{[](const auto&) {}};
}
