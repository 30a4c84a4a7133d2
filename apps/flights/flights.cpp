// Delays of the flights of January to March 2001: for each origin, and for each day and origin.
#include "flights.hpp"

namespace sw = spillway;

/// The file writes a time as MMDDhhmm, all in the year 2001.
sw::timestamp in_2001(std::string_view text) { return sw::parse_time("%Y%m%d%H%M", "2001" + std::string{text}); }

int main(int argc, char** argv) {
  return sw::app("flights", argc, argv, [](sw::pipeline& p, const sw::params& args) {
    auto file = args.get("flights", "flights.csv", "CSV file with the columns date, delay, distance, origin, destination");
    auto out = args.get("out", "flights-out", "folder for the results");
    auto years = args.get("years", 1U, "repeats the records in this many years");
    auto top = args.get("top", 15U, "airports to show on screen");

    sw::columns<flights::flight> as{{"date", &flights::flight::when, in_2001}};
    auto all = flights::repeated(p.read("flights", sw::csv<flights::flight>{.path = file, .columns = as}), years);

    auto origins = flights::by_origin(all);
    origins.write(sw::to_csv{out + "/by_origin.csv"});
    auto most_flights = sw::top(top, [](const auto& row) { return row.value.flights; });
    origins.key_by().aggregate("top", most_flights).write(sw::to_stdout{});
    flights::by_day(all).write(sw::to_csv{out + "/by_day_and_origin.csv"});
  });
}
