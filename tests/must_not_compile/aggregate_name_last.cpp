// expect: the name of a step comes before the verb's other arguments, and is a text
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate(delays{}, "daily").write(nowhere());
}
