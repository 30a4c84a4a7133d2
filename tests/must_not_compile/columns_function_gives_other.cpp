// expect: a function in columns gives the value of its member
#include "rows.hpp"

void job(sw::pipeline& p) {
  const sw::columns<flight> as{{"date", &flight::when, [](std::string_view text) { return std::string{text}; }}};
  p.read(sw::csv<flight>{.path = "flights.csv", .columns = as}).write(nowhere());
}
