// expect: on_query() must be one public member function, not overloaded and not a template: Reply on_query(const Query&)
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string, flight, int> {
  void on_row(const flight& f, auto& ctx) { ctx.emit(f.delay); }
  int on_query = 0;
};

void job(flights all) {
  all.key_by(&flight::origin).process("watch", sw::op<watch>()).write(nowhere());
}
