#pragma once
#include <caf/all.hpp>
#include <caf/detail/private_thread.hpp>

#include <system_error>
#include <utility>

namespace spillway {

/// An actor that can have a thread of its own. If the system has none left, CAF would count the actor as running for ever, and
/// its actor system would never end: this one takes back what was counted.
template <class State>
class own_thread_actor : public caf::stateful_actor<State> {
 public:
  using caf::stateful_actor<State>::stateful_actor;

  void launch(caf::execution_unit* unit, bool lazy, bool hide) override {
    try {
      caf::stateful_actor<State>::launch(unit, lazy, hide);
    } catch (const std::system_error&) {
      if (this->private_thread_) forget_thread();
      throw;
    }
  }

 private:
  void forget_thread() {
    delete std::exchange(this->private_thread_, nullptr);
    this->unsetf(caf::abstract_actor::is_detached_flag);
    this->system().dec_detached_threads();
    // The thread's own, not the last: whoever spawns the actor has another.
    caf::intrusive_ptr_release(this->ctrl());
  }
};

template <class State, class Setup>
caf::behavior make_with_thread(own_thread_actor<State>* self, Setup setup) {
  return self->state.make(std::move(setup));
}

/// Spawns an actor with a thread of its own from an actor or an actor system. Throws `std::system_error` if there is no thread
/// to be had; nothing is left of the actor then.
template <class State, class Parent, class Setup>
caf::actor spawn_with_thread(Parent& parent, Setup setup) {
  return parent.template spawn<caf::detached>(make_with_thread<State, Setup>, std::move(setup));
}

}  // namespace spillway
