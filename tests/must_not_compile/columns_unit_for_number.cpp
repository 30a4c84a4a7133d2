// expect: a unit or a zone in columns is for a member that is a time
#include "rows.hpp"

void job(sw::pipeline& p) {
  const sw::columns<flight> as{{"delay", &flight::delay, sw::unit::seconds}};
  p.read(sw::csv<flight>{.path = "flights.csv", .columns = as}).write(nowhere());
}
