// expect: generate
#include "rows.hpp"

void job(sw::pipeline& p) {
  p.read(sw::generate(3, [] { return 1; })).write(nowhere());
}
