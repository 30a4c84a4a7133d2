// expect: on_query() is for keyed operators: job::ask asks about a key
#include "rows.hpp"

struct pass : sw::stream_operator<flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
  int on_query(const int& q) { return q; }
};

void job(flights all) {
  all.process("pass", sw::op<pass>()).write(nowhere());
}
