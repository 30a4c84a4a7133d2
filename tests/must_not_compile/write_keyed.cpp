// expect: write() takes rows without a key: call .aggregate(...) or another verb of keyed streams first
#include "rows.hpp"

void job(flights all) {
  all.key_by(&flight::origin).write(nowhere());
}
