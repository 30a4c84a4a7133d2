// expect: filter() takes f(const Row&) that returns true for the rows to keep
#include "rows.hpp"

void job(flights all) {
  all.filter([](const city& c) { return c.people > 0; }).write(nowhere());
}
