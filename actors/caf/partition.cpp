#include "actors/caf/partition.hpp"

namespace spillway {

caf::behavior make_partition(caf::stateful_actor<partition_actor>* self, partition_setup setup) {
  return self->state.make(setup);
}

caf::behavior partition_actor::make(partition_setup setup) {
  setup_ = setup;
  queues_ = partition_queues{setup.subpartitions, setup.permits};
  consumers_.resize(setup.subpartitions);
  self_->set_default_handler(caf::drop);
  return {
      [this](put_element& m) {
        queues_.put(m.subpartition, std::move(m.e), *this);
        end_if_done();
      },
      [this](const return_credit& m) {
        queues_.credit(m.subpartition, m.batches, *this);
        end_if_done();
      },
      [this](const open_channel& m) {
        consumers_[m.subpartition] = {caf::actor_cast<caf::actor>(self_->current_sender()), m.channel};
        queues_.open(m.subpartition, m.credit, *this);
        end_if_done();
      },
      [this](const attach_producer& m) {
        producer_ = caf::actor_cast<caf::actor>(self_->current_sender());
        producer_edge_ = m.edge;
        queues_.attach(*this);
      },
      [this](const inspect_state&) { return actor_view{view()}; },
      [this](const stop_work&) { self_->quit(caf::exit_reason::user_shutdown); },
  };
}

void partition_actor::deliver(std::uint32_t subpartition, element e) {
  const auto& c = consumers_[subpartition];
  self_->send(c.task, deliver_element{c.channel, std::move(e)});
}

void partition_actor::permit(std::uint32_t subpartition, std::uint32_t batches) {
  self_->send(producer_, grant_permits{producer_edge_, subpartition, batches});
}

void partition_actor::end_if_done() {
  if (queues_.done()) self_->quit();
}

partition_view partition_actor::view() const {
  partition_view v{setup_.edge, setup_.producer, {}};
  for (const auto& s : queues_.subpartitions())
    v.subpartitions.push_back({s.queue.size(), s.credit, s.batches, s.rows, s.opened, s.ended});
  return v;
}

}  // namespace spillway
