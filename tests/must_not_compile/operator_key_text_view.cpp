// expect: the key and the rows of an operator own their data and are described, as everywhere
#include "rows.hpp"

struct watch : sw::keyed_operator<std::string_view, flight, int> {};
