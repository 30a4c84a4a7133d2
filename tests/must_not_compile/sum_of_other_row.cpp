// expect: sum(), min(), max() and mean() take a member of the stream's row, or a function of it
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate(sw::sum(&city::people)).map([](const auto& row) { return row.value; }).write(nowhere());
}
