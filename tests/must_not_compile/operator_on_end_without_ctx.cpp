// expect: on_end() of an operator is public and takes (auto& ctx)
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string, flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
  void on_end() {}
};

void job(flights all) {
  all.key_by(&flight::origin).process("watch", sw::op<watch>()).write(nowhere());
}
