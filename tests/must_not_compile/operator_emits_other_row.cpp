// expect: emit() takes a row of the operator's output type
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string, flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f); }
};

void job(flights all) {
  all.key_by(&flight::origin).process("watch", sw::op<watch>()).write(nowhere());
}
