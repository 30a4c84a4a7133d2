// expect: the last argument of aggregate() and running() makes the result row: f(const Key&, const Value&)
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate("daily", delays{}, [](const delays& d) { return d.minutes; }).write(nowhere());
}
