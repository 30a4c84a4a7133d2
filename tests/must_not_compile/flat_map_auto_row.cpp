// expect: flat_map() takes f(const Row&, sw::out<R>&), with both types written out: not auto
#include "rows.hpp"

void job(flights all) {
  all.flat_map([](const auto& f, sw::out<int>& out) { out(f.delay); }).write(nowhere());
}
