#include "scheduler/caf/job_actor.hpp"

#include "messages/key.hpp"
#include "scheduler/unknown_step.hpp"

#include <algorithm>

namespace spillway {

namespace {

/// How long a question waits for an actor that is busy with user code.
constexpr auto patience = std::chrono::seconds{5};

/// How long an inspection does; then it shows what the actor said last.
constexpr auto short_patience = std::chrono::milliseconds{250};

}  // namespace

caf::behavior make_job(caf::stateful_actor<job_actor>* self, job_setup setup) { return self->state.make(std::move(setup)); }

caf::behavior job_actor::make(job_setup setup) {
  setup_ = std::move(setup);
  state_ = job_state{setup_.name};
  view_.name = setup_.name;
  self_->set_default_handler(caf::drop);
  self_->set_down_handler([this](const caf::down_msg& m) { down(m); });
  // Before any message, as questions travel at high priority.
  start();
  return {
      [this](subtask_finished& m) {
        state_.finished(self_->current_sender()->id());
        add(std::move(m.last));
      },
      [this](const subtask_failed& m) {
        if (state_.failed(m)) stop_all();
      },
      [this](const reader_view& v) {
        state_.finished(self_->current_sender()->id());
        add(v);
      },
      [this](const source_view& v) { add(v); },
      [this](const job_note& m) {
        if (setup_.log) setup_.log(m.step, m.text);
      },
      [this](cancel_job) {
        if (state_.cancelled()) stop_all();
        end_if_over();
      },
      [this](inspect_state) {
        auto promise = self_->make_response_promise<job_view>();
        gather(promise);
        return promise;
      },
      [this](question& q) { return route(q); },
      [this](const find_handlers& m) { return route(m); },
  };
}

void job_actor::start() {
  try {
    actors_ = setup_.deploy(self_);
  } catch (const std::exception& e) {
    state_.not_started(e.what());
    return end_if_over();
  }
  for (const auto& m : actors_.members) {
    state_.started(m.handle.id());
    alive_.emplace(m.handle.id(), m.who);
    self_->monitor(m.handle);
  }
  for (const auto& v : setup_.plan.vertices)
    for (std::uint32_t subtask = 0; subtask < v.parallelism; ++subtask) add(view_before_work(v, subtask));
}

/// What is known of a subtask before it has answered for the first time.
task_view job_actor::view_before_work(const task_vertex& v, std::uint32_t subtask) const {
  task_view view;
  view.id = {v.id, subtask, 1};
  view.name = setup_.plan.name_of(v.id);
  for (auto s : v.steps) view.steps.push_back({setup_.plan.graph.at(s).name, 0, 0, 0});
  return view;
}

void job_actor::stop_all() {
  if (actors_.stop) *actors_.stop = true;
  for (const auto& m : actors_.members)
    if (alive_.contains(m.handle.id())) self_->send<caf::message_priority::high>(m.handle, stop_work{});
}

void job_actor::down(const caf::down_msg& m) {
  const auto id = m.source.id();
  const auto who = alive_.find(id);
  if (who == alive_.end()) return;
  // A partition that ends without a reason has sent everything.
  if (!m.reason) state_.finished(id);
  if (state_.gone(id, who->second, self_->system().render(m.reason))) stop_all();
  alive_.erase(who);
  end_if_over();
}

void job_actor::end_if_over() {
  if (!state_.ended() || std::exchange(over_, true)) return;
  view_.phase = state_.phase();
  actors_ = {};
  if (setup_.ended) setup_.ended(state_.phase(), state_.error(), view_);
  quit_if_answered();
}

/// Whoever asked while the job ended still gets an answer: those that were asked are gone, and say so.
void job_actor::quit_if_answered() {
  if (over_ && asked_ == 0) self_->quit();
}

void job_actor::answered() {
  --asked_;
  quit_if_answered();
}

void job_actor::add(task_view v) {
  auto at = std::find_if(view_.tasks.begin(), view_.tasks.end(), [&](const auto& t) { return t.id == v.id; });
  if (at == view_.tasks.end()) {
    view_.tasks.push_back(std::move(v));
  } else {
    if (v.read_done == 0) v.read_done = at->read_done, v.read_total = at->read_total;
    if (!v.steps.empty() && !at->steps.empty())
      v.steps.front().refused = std::max(v.steps.front().refused, at->steps.front().refused);
    *at = std::move(v);
  }
}

void job_actor::add(const reader_view& v) {
  auto at = std::find_if(view_.tasks.begin(), view_.tasks.end(), [&](const auto& t) { return t.id == v.id; });
  if (at == view_.tasks.end()) {
    view_.tasks.emplace_back().id = v.id;
    at = view_.tasks.end() - 1;
  }
  at->read_done = v.done;
  at->read_total = v.total;
  if (!at->steps.empty()) at->steps.front().refused = v.refused;
}

void job_actor::add(const source_view& v) {
  auto at = std::find_if(view_.sources.begin(), view_.sources.end(), [&](const auto& s) { return s.vertex == v.vertex; });
  at == view_.sources.end() ? view_.sources.push_back(v) : void(*at = v);
}

/// Asks all that are alive and answers when each has answered or is gone.
void job_actor::gather(caf::typed_response_promise<job_view> promise) {
  struct round {
    std::size_t open = 1;
    std::vector<partition_view> partitions;
  };
  auto r = std::make_shared<round>();
  const std::function<void()> close = [this, r, promise] {
    if (--r->open > 0) return;
    auto p = promise;
    p.deliver(view_with(std::move(r->partitions)));
  };
  for (const auto& m : actors_.members) {
    if (!alive_.contains(m.handle.id())) continue;
    ++r->open;
    ++asked_;
    self_->request<caf::message_priority::high>(m.handle, short_patience, inspect_state{})
        .then(
            [this, r, close](actor_view& v) {
              if (auto* p = std::get_if<partition_view>(&v.is)) r->partitions.push_back(std::move(*p));
              if (auto* t = std::get_if<task_view>(&v.is)) add(std::move(*t));
              if (auto* d = std::get_if<reader_view>(&v.is)) add(*d);
              if (auto* s = std::get_if<source_view>(&v.is)) add(*s);
              close();
              answered();
            },
            [this, close](caf::error&) {
              close();
              answered();
            });
  }
  close();
}

job_view job_actor::view_with(std::vector<partition_view> partitions) const {
  auto v = view_;
  v.phase = state_.phase();
  v.partitions = std::move(partitions);
  std::sort(v.tasks.begin(), v.tasks.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  std::sort(v.sources.begin(), v.sources.end(), [](const auto& a, const auto& b) { return a.vertex < b.vertex; });
  std::sort(v.partitions.begin(), v.partitions.end(), [](const auto& a, const auto& b) {
    return std::pair{a.edge, a.producer} < std::pair{b.edge, b.producer};
  });
  return v;
}

/// The task that runs `step`, or null.
const task_vertex* job_actor::vertex_of(const std::string& step) const {
  const auto& steps = setup_.plan.graph.steps;
  const auto at = std::find_if(steps.begin(), steps.end(), [&](const auto& s) { return s.name == step; });
  if (at == steps.end()) return nullptr;
  return &setup_.plan.at(setup_.plan.vertex_of({static_cast<std::uint32_t>(at - steps.begin())}));
}

bool job_actor::runs(const task_vertex& v, std::uint32_t subtask) const {
  return !actors_.tasks.empty() && alive_.contains(actors_.tasks[v.id.value][subtask].id());
}

/// Asks `task`, and answers with its reply, or with `otherwise` if it is gone.
template <class Message, class Reply>
caf::result<Reply> job_actor::pass_on(const caf::actor& task, Message m, Reply otherwise) {
  auto promise = self_->make_response_promise<Reply>();
  ++asked_;
  self_->request<caf::message_priority::high>(task, patience, std::move(m))
      .then(
          [this, promise](Reply& reply) mutable {
            promise.deliver(std::move(reply));
            answered();
          },
          [this, promise, otherwise](caf::error&) mutable {
            promise.deliver(std::move(otherwise));
            answered();
          });
  return promise;
}

caf::result<answer> job_actor::route(question& q) {
  const auto* v = vertex_of(q.step);
  if (!v) return answer{{}, unknown_step_text(setup_.plan.graph, q.step, setup_.name)};
  const auto owner = key_groups{setup_.plan.key_groups, v->parallelism}.owner_of(q.hash);
  if (!runs(*v, owner)) return answer{{}, "step '" + q.step + "' is not running"};
  return pass_on(actors_.tasks[v->id.value][owner], std::move(q), answer{{}, "the step ended before it could answer"});
}

caf::result<handlers_found> job_actor::route(const find_handlers& m) {
  const auto* v = vertex_of(m.step);
  if (!v) return handlers_found{{}, unknown_step_text(setup_.plan.graph, m.step, setup_.name)};
  if (m.subtask >= v->parallelism)
    return handlers_found{{},
                          "step '" + m.step + "' has " + std::to_string(v->parallelism) + " subtasks, so none has the number " +
                              std::to_string(m.subtask)};
  if (!runs(*v, m.subtask)) return handlers_found{{}, "step '" + m.step + "' is not running"};
  return pass_on(actors_.tasks[v->id.value][m.subtask], m, handlers_found{{}, "the step ended before it could answer"});
}

}  // namespace spillway
