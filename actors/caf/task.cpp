#include "actors/caf/task.hpp"

#include "actors/actor.hpp"
#include "messages/errors.hpp"

namespace spillway {

namespace {

/// Calls of stages between two looks into the mailbox, and the time after which no further call begins: credit, permits and
/// control messages are seen that soon.
constexpr std::size_t quantum = 16;
constexpr auto longest_turn = std::chrono::milliseconds{2};

}  // namespace

caf::behavior make_task(caf::stateful_actor<task_actor>* self, task_setup setup) { return self->state.make(std::move(setup)); }

caf::behavior task_actor::make(task_setup setup) {
  setup_ = std::move(setup);
  self_->set_default_handler(caf::drop);
  // Before any message, as questions travel at high priority.
  guarded([&] { start(); });
  return {
      [this](deliver_element& m) {
        core_->arrive(m.channel, std::move(m.e));
        schedule();
      },
      [this](go_on) {
        scheduled_ = false;
        run();
      },
      [this](const grant_permits& m) {
        core_->permit(m.edge, m.subpartition, m.batches);
        schedule();
      },
      [this](const assign_split& m) {
        guarded([&] { core_->assign(m.what, m.history_end); });
        schedule();
      },
      [this](no_more_splits) {
        core_->source()->no_more();
        schedule();
      },
      [this](const wake_up& m) {
        if (m.generation != wake_generation_) return;
        wake_at_.reset();
        schedule();
      },
      [this](flush_due) {
        flush_armed_ = false;
        guarded([&] {
          core_->flush();
          pause();
        });
      },
      [this](pause_due) {
        pause_armed_ = false;
        guarded([&] { pause(); });
      },
      [this](const inspect_state&) { return actor_view{view()}; },
      [this](const question& q) { return reply_to(q); },
      [this](to_operator& m) { return hand_over(m); },
      [this](const find_handlers& m) { return find(m); },
      [this](stop_work) { self_->quit(caf::exit_reason::user_shutdown); },
  };
}

void task_actor::start() {
  core_ = std::make_unique<task_core>(setup_.build(), static_cast<task_port&>(*this));
  owed_.resize(setup_.inputs.size());
  for (std::uint32_t edge = 0; edge < setup_.outputs.size(); ++edge) self_->send(setup_.outputs[edge], attach_producer{edge});
  for (std::uint32_t channel = 0; channel < setup_.inputs.size(); ++channel) {
    const auto& in = setup_.inputs[channel];
    self_->send(in.partition, open_channel{in.subpartition, channel, setup_.credit});
  }
  ask_for_split();
  schedule();
}

void task_actor::ask_for_split() {
  auto* source = core_->source();
  if (!source || !source->wants_split()) return;
  source->asked();
  self_->send(setup_.enumerator, request_split{setup_.id.subtask});
}

/// The first part of a `then` has ended: its second may begin.
void task_actor::open_next_part() {
  if (setup_.opens.empty() || part_ended_ || !core_->ended(0)) return;
  part_ended_ = true;
  for (const auto& e : setup_.opens) self_->send(e, part_ended{core_->operators().links().front().op->greatest_time()});
}

void task_actor::send_notes() {
  const auto send_all = [&](const std::string& step, bad_row_book& bad) {
    if (bad.has_notes())
      for (auto& text : bad.take_notes()) self_->send(setup_.job, job_note{step, std::move(text)});
  };
  auto& links = core_->operators().links();
  for (auto& l : links)
    if (l.bad) send_all(l.step, *l.bad);
  if (auto* source = core_->source()) send_all(links.front().step, source->bad());
}

/// Work is done in reply to a message to oneself: what has arrived meanwhile is taken in first.
void task_actor::schedule() {
  if (!std::exchange(scheduled_, true)) self_->send(self_, go_on{});
}

void task_actor::run() {
  guarded([&] {
    const auto state = work_a_turn();
    send_notes();
    ask_for_split();
    open_next_part();
    switch (state) {
      case task_core::state::more:
        schedule();
        arm_flush();
        break;
      case task_core::state::blocked:
        give_all_credit();
        arm_flush();
        break;
      case task_core::state::waiting:
        rest();
        break;
      case task_core::state::finished:
        self_->send(setup_.job, subtask_finished{view()});
        self_->quit();
        break;
    }
  });
}

/// User code may be slow: then a turn is one call.
task_core::state task_actor::work_a_turn() {
  const auto began = self_->clock().now();
  for (std::size_t calls = 0;; ++calls) {
    const auto state = core_->work(1);
    if (state != task_core::state::more || calls + 1 == quantum || self_->clock().now() - began > longest_turn) return state;
  }
}

/// Nothing else to do: rows need not wait for company, unless this is a backlog.
void task_actor::rest() {
  give_all_credit();
  if (!core_->backlog()) core_->flush();
  if (auto after = core_->wait_for()) wake_in(*after);
  arm_flush();
}

/// Permits wake a task too, so its source may be asked early and often: one timer is enough for that.
void task_actor::wake_in(std::chrono::microseconds after) {
  const auto at = self_->clock().now() + after;
  if (wake_at_ && *wake_at_ <= at) return;
  wake_at_ = at;
  self_->delayed_send(self_, after, wake_up{++wake_generation_});
}

void task_actor::arm_flush() {
  if (setup_.buffer_timeout.count() == 0) {
    pause();
  } else if (!std::exchange(flush_armed_, true)) {
    self_->delayed_send(self_, setup_.buffer_timeout, flush_due{});
  }
}

void task_actor::pause() {
  core_->pause();
  const auto again = core_->pause_again();
  if (again && !std::exchange(pause_armed_, true)) self_->delayed_send(self_, *again, pause_due{});
}

template <class F>
void task_actor::guarded(F&& f) {
  const auto step = [&] { return core_ && !core_->failed_step().empty() ? core_->failed_step() : setup_.name; };
  try {
    f();
  } catch (const step_failed& e) {
    fail(e.step.empty() ? step() : e.step, e.row, e.what());
  } catch (const std::exception& e) {
    fail(step(), "", e.what());
  } catch (...) {
    fail(step(), "", "it threw something that is not a std::exception");
  }
}

void task_actor::fail(const std::string& step, const std::string& row, const std::string& cause) {
  self_->send(setup_.job, subtask_failed{setup_.id, step, row, cause});
  self_->quit(caf::sec::runtime_error);
}

answer task_actor::reply_to(const question& q) {
  if (!core_) return {{}, "step '" + q.step + "' has not started yet"};
  try {
    if (auto* s = stage_of(q.step)) return {s->answer(q), ""};
    return {{}, "there is no step '" + q.step + "' in " + setup_.name};
  } catch (const std::exception& e) {
    return {{}, e.what()};
  } catch (...) {
    return {{}, "step '" + q.step + "' threw something that is not a std::exception"};
  }
}

stage* task_actor::stage_of(const std::string& step) {
  if (core_)
    for (auto& l : core_->operators().links())
      if (l.step == step) return l.op.get();
  return nullptr;
}

caf::result<caf::message> task_actor::hand_over(to_operator& m) {
  auto* s = stage_of(m.step);
  auto* own = s ? s->handlers() : nullptr;
  if (!own) return caf::make_error(caf::sec::unexpected_message);
  try {
    auto reply = own->handlers()(m.content);
    if (!reply) return caf::make_error(caf::sec::unexpected_message);
    return std::move(*reply);
  } catch (const std::exception& e) {
    fail(m.step, "", e.what());
    return caf::make_error(caf::sec::runtime_error, e.what());
  } catch (...) {
    fail(m.step, "", "it threw something that is not a std::exception");
    return caf::make_error(caf::sec::runtime_error);
  }
}

handlers_found task_actor::find(const find_handlers& m) {
  if (auto* s = stage_of(m.step); s && s->handlers()) return {caf::actor_cast<caf::actor>(self_), ""};
  return {{}, "step '" + m.step + "' has no message handlers of its own"};
}

void task_actor::send(std::uint32_t edge, std::uint32_t sub, element e) {
  self_->send(setup_.outputs[edge], put_element{sub, std::move(e)});
}

/// Half of a channel's credit goes back at once, less of it when there is nothing else to do: fewer messages, and no stall.
void task_actor::credit(std::uint32_t channel) {
  if (++owed_[channel] >= std::max(1U, setup_.credit / 2)) give_credit(channel);
}

void task_actor::give_credit(std::uint32_t channel) {
  const auto& in = setup_.inputs[channel];
  if (const auto batches = std::exchange(owed_[channel], 0)) self_->send(in.partition, return_credit{in.subpartition, batches});
}

void task_actor::give_all_credit() {
  for (std::uint32_t channel = 0; channel < owed_.size(); ++channel) give_credit(channel);
}

task_view task_actor::view() const {
  task_view v;
  v.id = setup_.id;
  v.name = setup_.name;
  if (core_) core_->describe(v);
  return v;
}

}  // namespace spillway
