// expect: process() takes sw::op<X>(arguments of X's constructor), with X an operator of one's own
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).process([](const flight& f, auto& ctx) { ctx.emit(f.delay); }).write(nowhere());
}
