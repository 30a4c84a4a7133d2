// expect: aggregate() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate(city{}).map([](const auto& row) { return row.value.people; }).write(nowhere());
}
