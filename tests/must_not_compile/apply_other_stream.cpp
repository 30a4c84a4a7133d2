// expect: apply() takes f(stream), such as a function of an auto stream
#include "rows.hpp"

void job(flights all) {
  all.apply([](cities c) { return c; }).write(nowhere());
}
