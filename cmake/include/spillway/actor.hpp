#pragma once
// For operators that are CAF actors as well: the only public header that includes CAF. Link spillway::actor.
#include "spillway/actors/actor.hpp"
