// expect: a row must be default constructible and copyable
#include "rows.hpp"

struct seen {
  explicit seen(int n) : n(n) {}
  int n;
};
BOOST_DESCRIBE_STRUCT(seen, (), (n))

void job(flights all) {
  all.map([](const flight& f) { return seen{f.delay}; }).write(nowhere());
}
