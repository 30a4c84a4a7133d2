// expect: union_with() takes the other streams
#include "rows.hpp"

void job(flights all) {
  all.union_with("all").write(nowhere());
}
