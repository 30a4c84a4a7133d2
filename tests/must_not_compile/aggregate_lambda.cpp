// expect: aggregate() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate("total", [](int sum, const flight& f) { return sum + f.delay; }).write(nowhere());
}
