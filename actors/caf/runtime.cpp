#include "actors/caf/runtime.hpp"

#include "actors/caf/deploy.hpp"
#include "actors/caf/own_thread.hpp"
#include "actors/caf/threads.hpp"
#include "actors/file_checks.hpp"
#include "actors/task/bodies.hpp"

#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <stdexcept>
#include <thread>

namespace spillway::detail {

namespace {

/// The system's clock: virtual under the deterministic scheduler.
class actor_system_clock final : public job_clock {
 public:
  explicit actor_system_clock(caf::actor_system& system) : system_(system) {}
  std::chrono::steady_clock::time_point now() const override { return system_.clock().now(); }

 private:
  caf::actor_system& system_;
};

std::uint32_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

/// Beside its workers: the clock and the printer, which an actor system starts as well.
constexpr std::size_t more_threads = 2;

/// Throws `job_failed` if there are not enough threads.
std::unique_ptr<caf::actor_system> make_system(caf::actor_system_config& config, const options& how) {
  const auto workers = how.threads > 0 ? how.threads : cores();
  config.set("scheduler.max-threads", workers);
  config.set("scheduler.max-throughput", std::size_t{100});
  config.set("scheduler.policy", how.policy == "stealing" ? caf::atom("stealing") : caf::atom("sharing"));
  try {
    check_threads(workers + more_threads);
  } catch (const std::system_error& e) {
    throw job_failed(no_thread_text("job '" + how.name + "'", e));
  }
  return std::make_unique<caf::actor_system>(config);
}

/// Lets virtual time pass to the next timer, but not beyond `until`. False if none is due by then.
bool pass_time(caf::scheduler::test_coordinator& steps, std::optional<std::chrono::steady_clock::time_point> until) {
  const auto& timers = steps.clock().schedule();
  if (!until || (!timers.empty() && timers.begin()->first <= *until)) return steps.trigger_timeout();
  if (const auto now = steps.clock().now(); now < *until) steps.advance_time(*until - now);
  return false;
}

void check_sources(const job_graph& graph) {
  for (const auto& s : graph.steps)
    if (const auto* source = dynamic_cast<const source_body*>(s.body.get())) {
      try {
        source->check();
      } catch (const data_error& e) {
        throw pipeline_error("step '" + s.name + "': " + e.what());
      }
    }
}

}  // namespace

job_runtime::job_runtime(execution_plan plan, options how, caf::actor_system* host)
    : plan_(std::move(plan)), how_(std::move(how)), system_(host) {
  check_sources(plan_.graph);
  check_files(plan_.graph);
  if (!system_) {
    own_ = make_system(config_, how_);
    system_ = own_.get();
  }
  clock_ = std::make_shared<actor_system_clock>(*system_);
  job_setup setup;
  setup.name = how_.name;
  setup.plan = plan_;
  setup.deploy = [plan = plan_, how = how_, clock = clock_](caf::event_based_actor* job) {
    return deploy(job, plan, how, clock);
  };
  if (how_.log)
    setup.log = [log = how_.log](const std::string& step, const std::string& text) { log("step '" + step + "': " + text); };
  if (how_.log)
    for (const auto& [step, text] : endless_files(plan_.graph)) setup.log(step, text);
  setup.ended = [o = outcome_](job_phase phase, const std::string& error, job_view last) {
    std::lock_guard lock{o->mutex};
    o->phase = phase;
    o->error = error;
    o->last = std::move(last);
    o->changed.notify_all();
  };
  // On a thread of its own, so that it answers and stops the others while user code keeps all workers busy.
  try {
    job_ = how_.attached ? system_->spawn(make_job, std::move(setup)) : spawn_with_thread<job_actor>(*system_, std::move(setup));
  } catch (const std::system_error& e) {
    throw job_failed(no_thread_text("job '" + how_.name + "'", e));
  }
}

job_runtime::~job_runtime() {
  cancel();
  await(std::nullopt);
}

void job_runtime::cancel() { caf::anon_send<caf::message_priority::high>(job_, cancel_job{}); }

job_phase job_runtime::wait() {
  await(std::nullopt);
  return result();
}

job_phase job_runtime::wait_for(std::chrono::milliseconds d) {
  // The clock would overflow on more than it can count.
  await(std::min<std::chrono::milliseconds>(d, std::chrono::hours{24 * 365}));
  return result();
}

/// Under the deterministic scheduler nothing runs by itself: there, waiting is stepping, and time passes when nothing else can.
void job_runtime::await(std::optional<std::chrono::milliseconds> at_most) {
  std::unique_lock lock{outcome_->mutex};
  const auto ended = [&] { return outcome_->phase != job_phase::running; };
  if (auto* steps = stepper()) {
    std::optional<std::chrono::steady_clock::time_point> until;
    if (at_most) until = steps->clock().now() + *at_most;
    while (!ended()) {
      lock.unlock();
      const bool moved = steps->try_run_once() || pass_time(*steps, until);
      lock.lock();
      if (!moved && until) return;
      if (!moved && !ended()) throw std::logic_error("job '" + how_.name + "' waits for something that cannot come");
    }
  } else if (at_most) {
    outcome_->changed.wait_for(lock, *at_most, ended);
  } else {
    outcome_->changed.wait(lock, ended);
  }
}

caf::scheduler::test_coordinator* job_runtime::stepper() const {
  return dynamic_cast<caf::scheduler::test_coordinator*>(&system_->scheduler());
}

job_phase job_runtime::result() const {
  std::lock_guard lock{outcome_->mutex};
  if (outcome_->phase == job_phase::failed) throw job_failed(outcome_->error);
  return outcome_->phase;
}

job_view job_runtime::inspect() {
  std::optional<job_view> view;
  request(inspect_state{}, [&](job_view& v) { view = std::move(v); });
  if (view) return std::move(*view);
  std::lock_guard lock{outcome_->mutex};
  return outcome_->last;
}

answer job_runtime::ask(question q) {
  answer reply{{}, "job '" + how_.name + "' has ended"};
  request(std::move(q), [&](answer& a) { reply = std::move(a); });
  return reply;
}

caf::actor job_runtime::operator_actor(find_handlers which) {
  handlers_found found{{}, "job '" + how_.name + "' has ended"};
  request(which, [&](handlers_found& f) { found = std::move(f); });
  if (!found.task) throw query_error(found.error);
  return system_->spawn([task = found.task, step = which.step](caf::event_based_actor* self) -> caf::behavior {
    self->set_default_handler([=](caf::scheduled_actor*, caf::message_view& m) -> caf::result<caf::message> {
      return self->delegate(task, to_operator{step, m.move_content_to_message()});
    });
    return [](stop_work) {};
  });
}

template <class Message, class OnReply>
void job_runtime::request(Message m, OnReply on_reply) {
  caf::scoped_actor self{*system_};
  auto handle = self->request<caf::message_priority::high>(job_, caf::infinite, std::move(m));
  if (auto* steps = stepper())
    while (steps->try_run_once()) continue;
  handle.receive(on_reply, [](caf::error&) {});
}

}  // namespace spillway::detail
