// expect: filter() takes f(const Row&) that returns true for the rows to keep
#include "rows.hpp"

void job(flights all) {
  all.filter([](const flight& f) { return f.origin; }).key_by(&flight::origin).aggregate(delays{}).write(nowhere());
}
