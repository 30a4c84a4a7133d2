// expect: columns maps to members of its own row type
#include "rows.hpp"

sw::timestamp at(std::string_view text) { return sw::parse_time("%Y%m%d", text); }

void job(sw::pipeline& p) {
  const sw::columns<flight> as{{"date", &flight::when, at}, {"place", &city::name}};
  p.read(sw::csv<flight>{.path = "flights.csv", .columns = as}).write(nowhere());
}
