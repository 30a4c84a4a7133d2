// expect: process() takes sw::op<X>(arguments of X's constructor), with X an operator of one's own
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string, flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
};

void job(flights all) {
  all.key_by(&flight::origin).process("watch", std::make_shared<watch>()).write(nowhere());
}
