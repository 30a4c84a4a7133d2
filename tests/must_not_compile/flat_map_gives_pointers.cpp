// expect: a row owns its data: this one is a pointer or a view (use std::string or a struct)
#include "rows.hpp"

void job(flights all) {
  all.flat_map([](const flight& f, sw::out<const flight*>& out) { out(&f); }).write(nowhere());
}
