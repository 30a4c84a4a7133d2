// expect: key_by() takes members of the row or functions of it: this key cannot be read from the stream's row type
#include "rows.hpp"

void job(flights all) {
  all.key_by(sw::key("people", [](const city& c) { return c.people; })).aggregate(sw::count()).write(nowhere());
}
