// expect: running() works key by key: call .key_by(...) first, or .key_by() for one group of all rows
#include "rows.hpp"

void job(flights all) {
  all.running(sw::count()).write(nowhere());
}
