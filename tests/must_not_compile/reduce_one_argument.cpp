// expect: reduce() takes f(const Row&, const Row&) that returns a row of the stream's own type
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).reduce([](const flight& a) { return a; }).write(nowhere());
}
