// expect: key_by() is called once: with several members or functions for a key of several parts
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).key_by(&flight::destination).aggregate(sw::count()).write(nowhere());
}
