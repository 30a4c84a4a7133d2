// expect: to_csv needs rows of plain columns: a member is a list (use flat_map to give a row for each element)
#include "rows.hpp"

void job(flights all) {
  all.map([](const flight&) { return std::vector<int>{}; }).write(sw::to_csv{"lists.csv"});
}
