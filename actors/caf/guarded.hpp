#pragma once
#include "messages/caf/wire.hpp"

#include <caf/all.hpp>

#include <exception>
#include <string>

namespace spillway {

/// Calls `f` for an actor that works for one step: what it throws fails the job, naming the step, and ends the actor.
template <class F>
void guarded_for_step(caf::event_based_actor* self, const caf::actor& job, subtask_id id, const std::string& step, F&& f) {
  const auto fail = [&](const std::string& cause) {
    self->send(job, subtask_failed{id, step, "", cause});
    self->quit(caf::sec::runtime_error);
  };
  try {
    f();
  } catch (const std::exception& e) {
    fail(e.what());
  } catch (...) {
    fail("it threw something that is not a std::exception");
  }
}

}  // namespace spillway
