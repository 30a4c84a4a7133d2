// expect: map() takes f(const Row&), with the row type of the stream it is called on
#include "rows.hpp"

void job(flights all) {
  all.map([](const city& c) { return c.people; }).write(nowhere());
}
