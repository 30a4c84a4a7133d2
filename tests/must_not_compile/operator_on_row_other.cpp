// expect: an operator has a public void on_row(const In&, auto& ctx), with In the row type that it names to its base
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string, flight, int> {
  void on_row(const city& c, auto& ctx) { ctx.emit(c.people); }
};

void job(flights all) {
  all.key_by(&flight::origin).process("watch", sw::op<watch>()).write(nowhere());
}
