// expect: to_vector needs a vector of the stream's own rows
#include "rows.hpp"

void job(flights all, std::vector<city>& rows) {
  all.write(sw::to_vector{rows});
}
