// expect: a row owns its data: this one is a pointer or a view (use std::string or a struct)
#include "rows.hpp"

void job(sw::pipeline& p) {
  p.read(sw::generate(3, [](std::uint64_t) { return "row"; })).write(nowhere());
}
