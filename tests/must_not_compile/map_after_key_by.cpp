// expect: map() gives rows without a key: call it before .key_by(...)
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).map([](const flight& f) { return f.delay; }).write(nowhere());
}
