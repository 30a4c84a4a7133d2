// expect: reduce() takes f(const Row&, const Row&) that returns a row of the stream's own type
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).reduce("worst", [](flight& a, const flight& b) { return a.delay < b.delay ? b : a; }).write(nowhere());
}
