#include "actors/caf/deploy.hpp"

#include "actors/caf/enumerator.hpp"
#include "actors/caf/own_thread.hpp"
#include "actors/caf/partition.hpp"
#include "actors/caf/reader.hpp"
#include "actors/caf/task.hpp"
#include "actors/caf/threads.hpp"
#include "actors/task/bodies.hpp"

#include <algorithm>
#include <map>

namespace spillway {

namespace {

/// Spawns one task after another; knows which partition each consumer reads.
class deployer {
 public:
  deployer(caf::event_based_actor* job, const execution_plan& plan, const options& how, std::shared_ptr<const job_clock> clock)
      : job_(job), plan_(plan), how_(how), clock_(std::move(clock)) {}

  /// All or nothing: what was spawned before an exception is stopped.
  deployment run() {
    try {
      for (const auto& e : plan_.edges) spawn_partitions(e);
      for (const auto& v : plan_.vertices)
        if (const auto source = source_in(plan_.graph.at(v.steps.front()))) {
          attached_.emplace(v.steps.front(), source->attach());
          spawn_enumerator(v, source);
        }
      out_.tasks.resize(plan_.vertices.size());
      for (const auto& v : plan_.vertices)
        for (std::uint32_t subtask = 0; subtask < v.parallelism; ++subtask) spawn_task(v, subtask);
      // Until all are there no row moves: a job that cannot start does nothing.
      for (const auto& [step, e] : enumerators_) caf::anon_send(e, part_ended{});
      return std::move(out_);
    } catch (...) {
      for (const auto& m : out_.members) caf::anon_send<caf::message_priority::high>(m.handle, stop_work{});
      throw;
    }
  }

 private:
  static std::uint32_t subpartitions(const execution_plan& plan, const task_edge& e) {
    return e.how == route::forward ? 1 : plan.at(e.to).parallelism;
  }

  void spawn_partitions(const task_edge& e) {
    auto& handles = partitions_.emplace_back();
    for (std::uint32_t producer = 0; producer < plan_.at(e.from).parallelism; ++producer) {
      handles.push_back(job_->spawn(make_partition, partition_setup{e.id, producer, subpartitions(plan_, e), how_.permits}));
      keep(handles.back(), "a partition of '" + plan_.name_of(e.from) + "'");
    }
  }

  void spawn_task(const task_vertex& v, std::uint32_t subtask) {
    task_setup setup;
    setup.id = {v.id, subtask, 1};
    setup.name = plan_.name_of(v.id);
    setup.credit = how_.credit;
    setup.buffer_timeout = how_.buffer_timeout;
    setup.job = caf::actor_cast<caf::actor>(job_);
    for (auto e : v.outputs) setup.outputs.push_back(partitions_[e.value][subtask]);

    std::vector<std::uint32_t> input_of_channel;
    for (auto e : v.inputs) add_input(plan_.at(e), subtask, setup.inputs, input_of_channel);
    for (auto s : v.steps) find_sources_opened_by(s, setup.opens);
    const auto source = source_in(plan_.graph.at(v.steps.front()));
    if (source) setup.enumerator = enumerators_.at(v.steps.front());
    const bool own_reader = source && plan_.graph.at(v.steps.front()).blocking;
    if (own_reader) {
      setup.inputs.push_back({spawn_reader(v, subtask, source), 0});
      input_of_channel.push_back(0);
    }
    const bool each_input = how_.buffer_timeout.count() == 0;
    setup.build = [=, plan = plan_, clock = clock_, stop = out_.stop] {
      auto parts = build_parts(plan, v, subtask, input_of_channel, own_reader, clock.get(), stop.get());
      parts.flush_each_input = each_input;
      return parts;
    };
    const auto name = setup.name;
    auto task = v.blocking && !how_.attached ? with_thread<task_actor>(plan_.graph.at(v.steps.front()), std::move(setup))
                                             : job_->spawn(make_task, std::move(setup));
    keep(task, "task '" + name + "' (subtask " + std::to_string(subtask) + ")");
    out_.tasks[v.id.value].push_back(task);
  }

  void spawn_enumerator(const task_vertex& v, const std::shared_ptr<const source_body>& body) {
    const auto id = v.steps.front();
    const auto& s = plan_.graph.at(id);
    enumerator_setup setup;
    setup.vertex = v.id;
    setup.step = s.name;
    setup.subtasks = v.parallelism;
    setup.fixed = body->fixed || body->unbounded;
    setup.waits_for = 1 + plan_.reports_before(id);
    setup.job = caf::actor_cast<caf::actor>(job_);
    setup.list = [ctx = context_for(s, v, 0, clock_.get(), out_.stop.get()), body, keep = clock_,
                  flag = out_.stop](auto history_end) mutable {
      ctx.history_end = history_end;
      return body->splits(ctx);
    };
    auto e = s.blocking && !how_.attached ? with_thread<enumerator_actor>(s, std::move(setup))
                                          : job_->spawn(make_enumerator, std::move(setup));
    keep(e, "the enumerator of '" + s.name + "'");
    enumerators_.emplace(id, std::move(e));
  }

  void find_sources_opened_by(step_id then, std::vector<caf::actor>& opens) const {
    for (std::uint32_t s = 0; s < plan_.graph.steps.size(); ++s) {
      const auto& by = plan_.graph.steps[s].opened_by;
      if (std::find(by.begin(), by.end(), then) != by.end()) opens.push_back(enumerators_.at(step_id{s}));
    }
  }

  void add_input(const task_edge& e, std::uint32_t subtask, std::vector<task_setup::input>& inputs,
                 std::vector<std::uint32_t>& input_of_channel) {
    const auto& from = partitions_[e.id.value];
    if (e.how == route::forward) {
      inputs.push_back({from[subtask], 0});
      input_of_channel.push_back(e.input);
      return;
    }
    for (const auto& partition : from) {
      inputs.push_back({partition, subtask});
      input_of_channel.push_back(e.input);
    }
  }

  static std::shared_ptr<const source_body> source_in(const step& s) {
    return std::dynamic_pointer_cast<const source_body>(s.body);
  }

  static source_context context_for(const step& s, const task_vertex& v, std::uint32_t subtask, const job_clock* clock,
                                    const std::atomic<bool>* stop) {
    source_context c;
    c.step = s.name;
    c.subtask = subtask;
    c.parallelism = v.parallelism;
    c.clock = clock;
    c.stop = stop;
    return c;
  }

  caf::actor spawn_reader(const task_vertex& v, std::uint32_t subtask, const std::shared_ptr<const source_body>& body) {
    const auto& s = plan_.graph.at(v.steps.front());
    reader_setup setup;
    setup.id = {v.id, subtask, 1};
    setup.step = s.name;
    setup.job = caf::actor_cast<caf::actor>(job_);
    setup.enumerator = enumerators_.at(v.steps.front());
    setup.make = [ctx = context_for(s, v, subtask, clock_.get(), out_.stop.get()), s = s, body, keep = clock_, flag = out_.stop,
                  attached = attached_.at(v.steps.front())] {
      return std::make_unique<source_driver>(body, ctx, s.bad, s.history);
    };
    auto reader = how_.attached ? job_->spawn(make_reader, std::move(setup)) : with_thread<reader_actor>(s, std::move(setup));
    keep(reader, "the reader of '" + s.name + "' (subtask " + std::to_string(subtask) + ")");
    return reader;
  }

  template <class State, class Setup>
  caf::actor with_thread(const step& s, Setup setup) {
    try {
      return spawn_with_thread<State>(*job_, std::move(setup));
    } catch (const std::system_error& e) {
      throw std::runtime_error(no_thread_text("step '" + s.name + "'", e));
    }
  }

  static task_parts build_parts(const execution_plan& plan, const task_vertex& v, std::uint32_t subtask,
                                const std::vector<std::uint32_t>& input_of_channel, bool own_reader, const job_clock* clock,
                                const std::atomic<bool>* stop) {
    task_parts parts;
    parts.input_of_channel = input_of_channel;
    for (auto id : v.steps) {
      const auto& s = plan.graph.at(id);
      try {
        if (auto source = source_in(s)) {
          if (!own_reader)
            parts.source =
                std::make_unique<source_driver>(std::move(source), context_for(s, v, subtask, clock, stop), s.bad, s.history);
          parts.links.push_back({s.name, std::make_unique<pass_stage>()});
        } else {
          const auto& body = dynamic_cast<const operator_body&>(*s.body);
          parts.links.push_back(
              {s.name, body.make({s.name, subtask, v.parallelism, {plan.key_groups, v.parallelism}, clock, stop})});
          if (s.bad.what() != bad_rows::policy::fail) parts.links.back().bad = std::make_unique<bad_row_book>(s.name, s.bad);
        }
      } catch (...) {
        fail_in_step(s.name);
      }
    }
    for (auto id : v.outputs) {
      const auto& e = plan.at(id);
      const auto n = subpartitions(plan, e);
      const auto& body = dynamic_cast<const route_body&>(*e.body);
      const auto link = std::find(v.steps.begin(), v.steps.end(), e.step) - v.steps.begin();
      parts.outputs.push_back({body.make(e.how, {subtask, n, plan.key_groups}), n,
                               plan.graph.at(plan.at(e.to).steps.front()).name, static_cast<std::size_t>(link),
                               static_cast<std::uint8_t>(e.side)});
    }
    return parts;
  }

  void keep(const caf::actor& a, std::string who) { out_.members.push_back({a, std::move(who)}); }

  caf::event_based_actor* job_;
  const execution_plan& plan_;
  const options& how_;
  std::shared_ptr<const job_clock> clock_;
  std::vector<std::vector<caf::actor>> partitions_;
  std::map<step_id, caf::actor> enumerators_;
  /// What the job holds of each source.
  std::map<step_id, std::shared_ptr<const void>> attached_;
  deployment out_;
};

}  // namespace

deployment deploy(caf::event_based_actor* job, const execution_plan& plan, const options& how,
                  const std::shared_ptr<const job_clock>& clock) {
  return deployer{job, plan, how, clock}.run();
}

}  // namespace spillway
