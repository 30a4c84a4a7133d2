// The readings of some year, from one file of fixed width to another; records that are none go to standard output.
#include "sink.hpp"
#include "source.hpp"

inline const sw::side<sw::bad_row> refused{"refused"};

int main(int argc, char** argv) {
  return sw::app("fixed_width", argc, argv, [](sw::pipeline& p, const sw::params& args) {
    const auto year = args.get("year", 2001, "the year of the readings to keep");
    auto all = p.read("readings", fixed_width{.path = args["in"], .bad = sw::bad_rows::set_aside(refused)});
    all.filter("of the year", [year](const reading& r) { return r.year == year; }).write(to_fixed_width{args["out"]});
    all.side(refused).write(sw::to_stdout{sw::lines});
  });
}
