// expect: a row's members are public and described: this class has described members that are not
#include "rows.hpp"

class seen {
  int n = 0;
  BOOST_DESCRIBE_CLASS(seen, (), (), (), (n))
};

void job(flights all) {
  all.map([](const flight&) { return seen{}; }).write(nowhere());
}
