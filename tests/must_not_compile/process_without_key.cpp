// expect: process() on a stream without keys takes an sw::stream_operator: call .key_by(...) first
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string, flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
};

void job(flights all) {
  all.process("watch", sw::op<watch>()).write(nowhere());
}
