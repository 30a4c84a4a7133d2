// expect: the rows of an operator own their data and are described, as everywhere
#include "rows.hpp"

struct pass : sw::stream_operator<flight, undescribed> {};
