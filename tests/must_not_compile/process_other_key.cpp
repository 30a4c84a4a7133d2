// expect: process() takes an operator with the key type of the stream it is called on
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string, flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
};

void job(flights all) {
  all.key_by(&flight::delay).process("watch", sw::op<watch>()).write(nowhere());
}
