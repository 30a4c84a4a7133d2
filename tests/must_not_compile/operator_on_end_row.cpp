// expect: on_end() of an operator is public and takes (auto& ctx)
#include "rows.hpp"

struct pass : sw::stream_operator<flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
  void on_end(const flight&, auto&) {}
};

void job(flights all) {
  all.process("pass", sw::op<pass>()).write(nowhere());
}
