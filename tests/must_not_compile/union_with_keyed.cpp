// expect: union_with() joins streams of one row type: map one of them first
#include "rows.hpp"

void job(flights all, flights more) {
  all.union_with(more.key_by(&flight::origin)).write(nowhere());
}
