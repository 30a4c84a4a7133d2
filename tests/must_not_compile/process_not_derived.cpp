// expect: process() takes an operator that derives publicly from sw::stream_operator<In, Out> or sw::keyed_operator<Key, In, Out>
#include "rows.hpp"

struct pass {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
};

void job(flights all) {
  all.process("pass", sw::op<pass>()).write(nowhere());
}
