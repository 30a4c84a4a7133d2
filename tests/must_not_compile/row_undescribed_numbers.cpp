// expect: a row must be described: add BOOST_DESCRIBE_STRUCT(Row, (), (its members)) after the struct
#include "rows.hpp"

struct point {
  int x, y;
};

void job(flights all) {
  all.map([](const flight& f) { return point{f.delay, 0}; }).write(nowhere());
}
