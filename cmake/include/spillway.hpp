#pragma once
// All that a job needs: rows, pipelines, sources, sinks, and running them. Actors of CAF are in <spillway/actor.hpp>, tools for
// tests in <spillway/testing.hpp>.
#include "spillway/actors/pipeline.hpp"
