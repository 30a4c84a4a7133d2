// expect: aggregate() takes a record with add(const Row&), or settings with init(), add(state, row) and result(state)
#include "rows.hpp"

struct people {
  int all = 0;
  void add(const city& c) { all += c.people; }
};
BOOST_DESCRIBE_STRUCT(people, (), (all))

void job(flights all) {
  all.key_by(&flight::origin).aggregate(people{}).write(nowhere());
}
