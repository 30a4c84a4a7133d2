#include "actors/caf/reader.hpp"

#include "actors/caf/guarded.hpp"

namespace spillway {

caf::behavior make_reader(caf::stateful_actor<reader_actor>* self, reader_setup setup) {
  return self->state.make(std::move(setup));
}

caf::behavior reader_actor::make(reader_setup setup) {
  setup_ = std::move(setup);
  self_->set_default_handler(caf::drop);
  return {
      [this](go_on) {
        scheduled_ = false;
        guarded([&] { read(); });
      },
      [this](const wake_up& m) {
        if (m.generation == pauses_) schedule();
      },
      [this](const return_credit& m) {
        credit_ += m.batches;
        schedule();
      },
      [this](const assign_split& m) {
        guarded([&] { source_->assign(m.what, m.history_end); });
        schedule();
      },
      [this](no_more_splits) {
        source_->no_more();
        schedule();
      },
      [this](const open_channel& m) { guarded([&] { open(m); }); },
      [this](const inspect_state&) { return actor_view{view()}; },
      [this](stop_work) { self_->quit(caf::exit_reason::user_shutdown); },
  };
}

/// The header goes first: it never waits for data.
void reader_actor::open(const open_channel& m) {
  task_ = caf::actor_cast<caf::actor>(self_->current_sender());
  channel_ = m.channel;
  credit_ = m.credit;
  source_ = setup_.make();
  backlog_ = source_->backlog();
  send(control{header{backlog_}});
  ask_for_split();
}

/// One batch and its bad rows cost two credits at most, and one of them may be overdrawn.
void reader_actor::read() {
  if (credit_ <= 0 || !source_) return;
  batch_ptr rows, refused;
  const auto result = source_->read(rows, refused);
  hand_over(std::move(rows), 0);
  hand_over(std::move(refused), 1);
  for (auto& text : source_->bad().take_notes()) self_->send(setup_.job, job_note{setup_.step, std::move(text)});
  tell_mode();
  ask_for_split();
  switch (result.state) {
    case read_result::kind::more:
      schedule();
      break;
    case read_result::kind::wait:
      if (result.wait_for != until_told) self_->delayed_send(self_, result.wait_for, wake_up{++pauses_});
      break;
    case read_result::kind::end:
      send(control{end_mark{}});
      self_->send(setup_.job, view());
      self_->quit();
      break;
  }
}

void reader_actor::ask_for_split() {
  if (!source_->wants_split()) return;
  source_->asked();
  self_->send(setup_.enumerator, request_split{setup_.id.subtask});
}

void reader_actor::hand_over(batch_ptr rows, std::uint8_t side) {
  if (!rows || rows->empty()) return;
  --credit_;
  element e{std::move(rows)};
  e.side = side;
  send(std::move(e));
}

void reader_actor::tell_mode() {
  if (source_->backlog() == backlog_) return;
  backlog_ = !backlog_;
  send(control{backlog_mark{backlog_}});
}

void reader_actor::schedule() {
  if (credit_ > 0 && !std::exchange(scheduled_, true)) self_->send(self_, go_on{});
}

void reader_actor::send(element e) { self_->send(task_, deliver_element{channel_, std::move(e)}); }

reader_view reader_actor::view() const {
  if (!source_) return {setup_.id, 0, std::nullopt, 0};
  const auto p = source_->progress();
  return {setup_.id, p.done, p.total, source_->bad().count()};
}

template <class F>
void reader_actor::guarded(F&& f) {
  guarded_for_step(self_, setup_.job, setup_.id, setup_.step, f);
}

}  // namespace spillway
