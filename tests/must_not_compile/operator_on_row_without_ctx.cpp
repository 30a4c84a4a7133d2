// expect: an operator has a public void on_row(const In&, auto& ctx), with In the row type that it names to its base
#include "rows.hpp"

struct pass : sw::stream_operator<flight, int> {
  void on_row(const flight&) {}
};

void job(flights all) {
  all.process("pass", sw::op<pass>()).write(nowhere());
}
