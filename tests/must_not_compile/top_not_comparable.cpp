// expect: top() takes values that can be compared: numbers, times or texts
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate(sw::top(3, [](const flight& f) { return f; })).write(nowhere());
}
