// expect: aggregate() on an unbounded stream never finishes
#include "rows.hpp"

void job(live_flights live) {
  live.key_by(&flight::origin).aggregate("daily", delays{}).filter([](const auto& row) { return row.value.minutes > 0; }).write(nowhere());
}
