// expect: out() takes a row of the type R of its sw::out<R>
#include "rows.hpp"

void job(flights all) {
  all.flat_map([](const flight& f, sw::out<city>& out) { out(f); }).write(nowhere());
}
