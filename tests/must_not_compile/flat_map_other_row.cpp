// expect: flat_map() takes f(const Row&, sw::out<R>&), with the row type of the stream it is called on
#include "rows.hpp"

void job(flights all) {
  all.flat_map([](const city& c, sw::out<int>& out) { out(c.people); }).write(nowhere());
}
