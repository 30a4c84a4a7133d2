// expect: read() takes a source, such as sw::csv<Row>{.path = ...}
#include "rows.hpp"

void job(sw::pipeline& p) {
  p.read(nowhere()).write(nowhere());
}
