// expect: a value_state holds a record: a number, an enum, a time, a std::string, a described struct, or an optional, pair, tuple or vector of such
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string, flight, int> {
  sw::value_state<undescribed> last_{this, "last"};
};
