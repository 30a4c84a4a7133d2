// expect: filter() takes a function that keeps nothing between calls: each subtask has a copy; .process(sw::op<X>()) is for state
#include "rows.hpp"

void job(flights all) {
  all.filter([n = 0](const flight&) mutable { return ++n % 2 == 0; }).write(nowhere());
}
