// expect: key_by() takes keys that own their data: a string, a number, an enum, a time, or a described struct of them
#include "rows.hpp"

void job(flights all) {
  all.key_by([](const flight&) {}).aggregate(sw::count()).write(nowhere());
}
