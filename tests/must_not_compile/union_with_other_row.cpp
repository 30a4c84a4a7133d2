// expect: union_with() joins streams of one row type: map one of them first
#include "rows.hpp"

void job(flights all, cities towns) {
  all.union_with(towns).write(nowhere());
}
