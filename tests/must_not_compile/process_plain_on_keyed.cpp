// expect: process() on a keyed stream takes an sw::keyed_operator
#include "rows.hpp"

struct pass : sw::stream_operator<flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
};

void job(flights all) {
  all.key_by(&flight::origin).process("pass", sw::op<pass>()).write(nowhere());
}
