// expect: a row must be described: add BOOST_DESCRIBE_STRUCT(Row, (), (its members)) after the struct
#include "rows.hpp"

void job(flights all) {
  all.map([](const flight& f) { return undescribed{f.origin}; }).filter([](const undescribed&) { return true; }).write(nowhere());
}
