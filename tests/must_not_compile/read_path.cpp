// expect: read() takes a source, such as sw::csv<Row>{.path = ...}
#include "rows.hpp"

void job(sw::pipeline& p) {
  p.read("flights.csv").filter([](const flight& f) { return f.delay > 0; }).write(nowhere());
}
