// expect: key_by() takes members of the row or functions of it: this key cannot be read from the stream's row type
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin, [](const city& c) { return c.people; }).aggregate(delays{}).write(nowhere());
}
