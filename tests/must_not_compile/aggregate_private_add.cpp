// expect: aggregate() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)
#include "rows.hpp"

class rows {
  int n = 0;
  void add(const flight&) { ++n; }
  BOOST_DESCRIBE_CLASS(rows, (), (), (), (n))
};

void job(flights all) {
  all.key_by(&flight::origin).aggregate(rows{}).write(nowhere());
}
