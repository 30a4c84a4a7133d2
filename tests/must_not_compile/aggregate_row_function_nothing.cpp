// expect: the last argument of aggregate() and running() returns the result row; this one returns nothing
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).aggregate("daily", delays{}, [](const std::string&, const delays&) {}).write(nowhere());
}
