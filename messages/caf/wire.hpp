#pragma once
// Makes the messages known to CAF. They stay in the process: batches cross as counted references.
#include "messages/control.hpp"
#include "messages/query.hpp"

#include <caf/actor.hpp>
#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/message.hpp>

namespace spillway {

/// The answer to `find_handlers`: the task to ask, or what is missing.
struct handlers_found {
  caf::actor task;
  std::string error;
};

/// From outside to a task: `content` is for the handlers of `step`.
struct to_operator {
  std::string step;
  caf::message content;
};

}  // namespace spillway

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::put_element)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::attach_producer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::grant_permits)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::open_channel)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::deliver_element)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::return_credit)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::go_on)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::wake_up)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::flush_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::pause_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::request_split)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::assign_split)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::no_more_splits)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::part_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::job_note)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::stop_work)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::inspect_state)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::subtask_finished)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::subtask_failed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::cancel_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::reader_view)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::source_view)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::find_handlers)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::handlers_found)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::to_operator)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::actor_view)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::job_view)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(spillway::answer)
