// expect: sum(), min(), max() and mean() take a member of the stream's row, or a function of it
#include "rows.hpp"

void job(live_flights live) {
  live.key_by(&flight::origin).running(sw::max(&city::people)).write(nowhere());
}
