// expect: mean() takes numbers
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate(sw::mean(&flight::destination)).write(nowhere());
}
