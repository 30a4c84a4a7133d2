#pragma once
#include <spillway.hpp>

#include <string>
#include <string_view>

namespace sw = spillway;

struct reading {
  std::string station;
  double celsius = 0;
  int year = 0;
};
BOOST_DESCRIBE_STRUCT(reading, (), (station, celsius, year))

inline constexpr std::uint64_t record_bytes = 16;

/// Stores "KSFO  12.5 2001" in `to`, or gives the reason why it is no reading.
inline std::string_view parse(std::string_view text, reading& to) {
  to.station = text.substr(0, 4);
  const auto celsius = text.substr(4, 6), year = text.substr(11);
  if (const auto wrong = sw::parse_text(celsius.substr(std::min(celsius.find_first_not_of(' '), celsius.size())), to.celsius);
      !wrong.empty())
    return wrong;
  return sw::parse_text(year, to.year);
}
