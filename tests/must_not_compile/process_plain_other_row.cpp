// expect: process() takes an operator for the row type of the stream it is called on
#include "rows.hpp"

struct pass : sw::stream_operator<flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
};

void job(cities all) {
  all.process("pass", sw::op<pass>()).write(nowhere());
}
