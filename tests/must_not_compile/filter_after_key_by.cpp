// expect: filter() gives rows without a key: call it before .key_by(...)
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).filter([](const flight& f) { return f.delay > 0; }).aggregate(sw::count()).write(nowhere());
}
