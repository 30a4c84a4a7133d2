// expect: a row owns its data: each member is a number, an enum, a time, a std::string, a described struct, or an optional, pair, tuple or vector of such
#include "rows.hpp"

struct seen {
  int n = 0;
  char what[16] = {};
};
BOOST_DESCRIBE_STRUCT(seen, (), (n, what))

void job(flights all) {
  all.map([](const flight&) { return seen{}; }).filter([](const seen& s) { return s.n > 0; }).write(nowhere());
}
