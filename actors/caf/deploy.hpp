#pragma once
#include "actors/options.hpp"
#include "actors/source.hpp"
#include "scheduler/caf/job_actor.hpp"

namespace spillway {

/// Spawns the partitions, tasks and readers of `plan`, wired to one another, none of them at work yet. The clock must outlive
/// them.
deployment deploy(caf::event_based_actor* job, const execution_plan& plan, const options& how,
                  const std::shared_ptr<const job_clock>& clock);

}  // namespace spillway
