// expect: min() and max() take values that can be compared: numbers, times or texts
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate(sw::max([](const flight& f) { return f; })).write(nowhere());
}
