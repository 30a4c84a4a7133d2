// expect: map() takes a function that keeps nothing between calls: each subtask has a copy; .process(sw::op<X>()) is for state
#include "rows.hpp"

void job(flights all) {
  all.map([n = 0](const flight&) mutable { return ++n; }).write(nowhere());
}
