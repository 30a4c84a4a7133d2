// expect: sum() takes values that can be added: numbers or durations
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate(sw::sum(&flight::destination)).write(nowhere());
}
