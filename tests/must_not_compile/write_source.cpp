// expect: write() takes a sink, such as sw::to_csv{path}
#include "rows.hpp"

void job(flights all) {
  all.write(sw::from(std::vector<flight>{}));
}
