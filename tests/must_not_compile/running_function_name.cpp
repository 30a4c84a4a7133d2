// expect: running() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)
#include "rows.hpp"

void job(live_flights live) {
  live.key_by(&flight::origin).running(sw::count).write(nowhere());
}
