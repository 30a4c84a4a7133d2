// expect: a row must be described: add BOOST_DESCRIBE_STRUCT(Row, (), (its members)) after the struct
#include "rows.hpp"

void job(sw::pipeline& p) {
  p.read(sw::from(std::vector<undescribed>{})).write(nowhere());
}
