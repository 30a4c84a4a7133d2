// expect: flat_map() takes a function that keeps nothing between calls: each subtask has a copy; .process(sw::op<X>()) is for state
#include "rows.hpp"

void job(flights all) {
  all.flat_map([n = 0](const flight&, sw::out<int>& out) mutable { out(++n); }).write(nowhere());
}
