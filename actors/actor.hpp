#pragma once
// For programs that are CAF programs themselves: a job in the host's actor system, and operators with message handlers of their
// own.
#include "actors/pipeline.hpp"

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/message_handler.hpp>

#include <string_view>

namespace spillway {

/// Starts the job in the host's actor system, which must outlive it. Throws `pipeline_error`.
job start(const pipeline& p, const options& how, caf::actor_system& host);

/// Base, beside `keyed_operator` or `stream_operator`, of an operator that handles CAF messages. The handlers run in the
/// operator's task, between batches, so they may read its state; of a keyed operator only through members that are not about one
/// key.
class message_handlers {
 public:
  virtual ~message_handlers() = default;
  virtual caf::message_handler handlers() = 0;
};

/// The actor that answers for `step` in `subtask`: what it is sent reaches the operator's handlers, also when the step is chained
/// to others. Throws `query_error` if there is no such step or subtask, or if it has no handlers.
caf::actor actor_of(const job& j, std::string_view step, std::uint32_t subtask);

}  // namespace spillway
