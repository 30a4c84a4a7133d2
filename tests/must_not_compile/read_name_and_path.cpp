// expect: read() takes a source, such as sw::csv<Row>{.path = ...}
#include "rows.hpp"

void job(sw::pipeline& p) {
  p.read("flights", std::string{"flights.csv"}).key_by(&flight::origin).aggregate(delays{}).write(nowhere());
}
