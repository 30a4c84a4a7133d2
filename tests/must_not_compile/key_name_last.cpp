// expect: key() takes the column's name first: sw::key(column, f)
#include "rows.hpp"

void job(flights all) {
  all.key_by(sw::key(&flight::origin, "from")).aggregate(sw::count()).write(nowhere());
}
