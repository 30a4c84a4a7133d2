// expect: top() takes a member of the stream's row, or a function of it
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate("most", sw::top(3, &city::people)).write(nowhere());
}
