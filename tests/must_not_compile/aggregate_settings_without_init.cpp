// expect: aggregate() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)
#include "rows.hpp"

struct late {
  int limit;
  void add(int& n, const flight& f) const { n += f.delay > limit; }
  int result(int n) const { return n; }
};

void job(flights all) {
  all.key_by(&flight::origin).aggregate(late{15}).write(nowhere());
}
