#include "actors/caf/reader.hpp"

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
      [this](const return_credit& m) {
        credit_ += m.batches;
        schedule();
      },
      [this](const open_channel& m) { guarded([&] { open(m); }); },
      [this](const inspect_state&) {
        const auto p = head_ ? head_->progress() : read_progress{};
        return actor_view{reader_view{setup_.id, p.done, p.total}};
      },
      [this](stop_work) { self_->quit(caf::exit_reason::user_shutdown); },
  };
}

/// The header goes first: it never waits for data.
void reader_actor::open(const open_channel& m) {
  task_ = caf::actor_cast<caf::actor>(self_->current_sender());
  channel_ = m.channel;
  credit_ = m.credit;
  send(control{header{false}});
  head_ = setup_.open();
  schedule();
}

void reader_actor::read() {
  if (credit_ == 0 || !head_) return;
  batch_ptr rows;
  const auto result = head_->read(rows);
  if (rows && !rows->empty()) {
    --credit_;
    send(std::move(rows));
  }
  switch (result.state) {
    case read_result::kind::more:
      schedule();
      break;
    case read_result::kind::wait:
      scheduled_ = true;
      self_->delayed_send(self_, result.wait_for, go_on{});
      break;
    case read_result::kind::end:
      send(control{end_mark{}});
      self_->send(setup_.job, reader_view{setup_.id, head_->progress().done, head_->progress().total});
      self_->quit();
      break;
  }
}

void reader_actor::schedule() {
  if (credit_ > 0 && !std::exchange(scheduled_, true)) self_->send(self_, go_on{});
}

void reader_actor::send(element e) { self_->send(task_, deliver_element{channel_, std::move(e)}); }

template <class F>
void reader_actor::guarded(F&& f) {
  const auto fail = [&](const std::string& cause) {
    self_->send(setup_.job, subtask_failed{setup_.id, setup_.step, "", cause});
    self_->quit(caf::sec::runtime_error);
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
