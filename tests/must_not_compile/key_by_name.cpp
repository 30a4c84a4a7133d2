// expect: key_by() takes members of the row or functions of it, not names: &row::member, or sw::key(column, f)
#include "rows.hpp"

void job(flights all) {
  all.key_by("origin").aggregate(delays{}).write(nowhere());
}
