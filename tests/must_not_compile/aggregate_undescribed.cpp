// expect: a row must be described: add BOOST_DESCRIBE_STRUCT(Row, (), (its members)) after the struct
#include "rows.hpp"

struct names {
  std::string last;
  void add(const flight& f) { last = f.destination; }
};

void job(flights all) {
  all.key_by(&flight::origin).aggregate(names{}).write(nowhere());
}
