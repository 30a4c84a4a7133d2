// expect: union_with() joins streams of one row type: map one of them first
#include "rows.hpp"

void job(flights all, live_flights more, cities towns) {
  all.union_with("both", more, towns).write(nowhere());
}
