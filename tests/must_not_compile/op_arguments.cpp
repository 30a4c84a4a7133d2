// expect: op<X>(...) takes what a constructor of X takes
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string, flight, int> {
  explicit watch(int limit) : limit(limit) {}
  int limit;
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
};

void job(flights all) {
  all.key_by(&flight::origin).process("watch", sw::op<watch>("fifteen")).write(nowhere());
}
