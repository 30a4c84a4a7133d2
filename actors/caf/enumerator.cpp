#include "actors/caf/enumerator.hpp"

#include "actors/caf/guarded.hpp"

namespace spillway {

caf::behavior make_enumerator(caf::stateful_actor<enumerator_actor>* self, enumerator_setup setup) {
  return self->state.make(std::move(setup));
}

caf::behavior enumerator_actor::make(enumerator_setup setup) {
  setup_ = std::move(setup);
  self_->set_default_handler(caf::drop);
  return {
      [this](const request_split& m) {
        auto who = caf::actor_cast<caf::actor>(self_->current_sender());
        if (setup_.waits_for > 0)
          early_.emplace(m.subtask, std::move(who));
        else
          guarded([&] { hand_out(m.subtask, who); });
      },
      [this](const part_ended& m) {
        if (m.greatest) history_end_ = std::max(*m.greatest, history_end_.value_or(min_time));
        if (--setup_.waits_for > 0) return;
        guarded([&] {
          for (const auto& [subtask, who] : std::exchange(early_, {})) hand_out(subtask, who);
        });
      },
      [this](const inspect_state&) {
        source_view v{setup_.vertex, setup_.waits_for == 0, 0, std::nullopt};
        if (splits_) v.splits_handed_out = splits_->handed_out(), v.total = splits_->total();
        return actor_view{v};
      },
      [this](stop_work) { self_->quit(caf::exit_reason::user_shutdown); },
  };
}

/// Splits are looked for when the first one is asked for.
void enumerator_actor::hand_out(std::uint32_t subtask, const caf::actor& to) {
  if (!splits_) splits_.emplace(setup_.list(history_end_), setup_.fixed, setup_.subtasks);
  if (auto s = splits_->next(subtask))
    self_->send(to, assign_split{std::move(*s), history_end_});
  else
    self_->send(to, no_more_splits{});
  if (!splits_->finished()) return;
  self_->send(setup_.job, source_view{setup_.vertex, true, splits_->handed_out(), splits_->total()});
  self_->quit();
}

template <class F>
void enumerator_actor::guarded(F&& f) {
  guarded_for_step(self_, setup_.job, {setup_.vertex, 0, 1}, setup_.step, f);
}

}  // namespace spillway
