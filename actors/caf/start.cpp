#include "actors/actor.hpp"
#include "actors/caf/runtime.hpp"
#include "actors/pipeline.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <thread>

namespace spillway {

namespace {

execution_plan plan_for(const pipeline& p, const options& how) {
  check_options(how);
  const auto parallelism = how.parallelism > 0 ? how.parallelism : std::max(1U, std::thread::hardware_concurrency());
  return plan_of(p.graph(), {parallelism, how.max_parallelism});
}

}  // namespace

job start(const pipeline& p, const options& how) {
  return job{std::make_shared<detail::job_runtime>(plan_for(p, how), how, nullptr)};
}

job start(const pipeline& p, const options& how, caf::actor_system& host) {
  return job{std::make_shared<detail::job_runtime>(plan_for(p, how), how, &host)};
}

caf::actor actor_of(const job& j, std::string_view step, std::uint32_t subtask) {
  return j.runtime().operator_actor({std::string{step}, subtask});
}

job_phase run(const pipeline& p, const options& how) { return start(p, how).wait(); }

std::string explain(const pipeline& p, const options& how) { return explain(plan_for(p, how)); }

}  // namespace spillway
