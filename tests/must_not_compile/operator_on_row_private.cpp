// expect: an operator has a public void on_row(const In&, auto& ctx), with In the row type that it names to its base
#include "rows.hpp"

class pass : public sw::stream_operator<flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
};

void job(flights all) {
  all.process("pass", sw::op<pass>()).write(nowhere());
}
