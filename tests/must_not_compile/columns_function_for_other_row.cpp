// expect: columns maps to members of its own row type
#include "rows.hpp"

int number(std::string_view text) { return static_cast<int>(text.size()); }

void job(sw::pipeline& p) {
  const sw::columns<flight> as{{"people", &city::people, number}};
  p.read(sw::csv<flight>{.path = "flights.csv", .columns = as}).write(nowhere());
}
