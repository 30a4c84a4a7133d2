#pragma once
// Tools for testing operators and parts of pipelines.
#include "spillway/actors/testing.hpp"
