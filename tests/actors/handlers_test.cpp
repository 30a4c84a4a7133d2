#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;

namespace {

using limit_atom = caf::atom_constant<caf::atom("limit")>;
using rows_atom = caf::atom_constant<caf::atom("rows")>;
using throw_atom = caf::atom_constant<caf::atom("throw")>;

/// Lets rows up to a limit pass, which is set by message.
struct limiting : stream_operator<number, number>, message_handlers {
  void on_row(const number& x, auto& ctx) {
    ++rows;
    if (x <= limit) ctx.emit(x);
  }
  caf::message_handler handlers() override {
    return {[this](limit_atom, number n) { limit = n; }, [this](rows_atom) { return rows; },
            [](throw_atom) -> number { throw std::runtime_error("as told"); }};
  }
  number limit = 2, rows = 0;
};

struct one_job : deterministic {
  one_job() {
    pipeline p;
    p.read("in", timed{{{0s, {1, 2, 3, 4}}, {1s, {1, 2, 3, 4}}}})
        .map("same", [](number x) { return x; })
        .process("limit", op<limiting>())
        .write("out", to_callback{[this](number x) { out.push_back(x); }});
    auto how = tight();
    how.parallelism = 1;
    how.name = "j";
    start(p, how);
    settle();
  }

  /// The reply as text, or the error's.
  template <class... Ts>
  std::string asked(const caf::actor& a, Ts... what) {
    caf::scoped_actor self{system};
    auto handle = self->request(a, caf::infinite, what...);
    settle();
    std::string text = "nothing";
    handle.receive([&](number n) { text = std::to_string(n); }, [&](const caf::error& e) { text = system.render(e); });
    return text;
  }

  numbers out;
};

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const query_error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("an operator's own message handlers are reached in its chain, between rows") {
  one_job j;
  const auto a = actor_of(j.the_job(), "limit", 0);
  CHECK(j.asked(a, rows_atom::value) == "4");
  caf::anon_send(a, limit_atom::value, number{3});
  j.settle();
  j.advance(1s);
  CHECK(j.out == numbers{1, 2, 1, 2, 3});
  CHECK(j.asked(a, rows_atom::value) == "8");
  CHECK(j.asked(a, std::string{"what is this"}) == "system_error(unexpected_message)");
}

TEST_CASE("a handler that throws fails the job by its step's name") {
  one_job j;
  const auto a = actor_of(j.the_job(), "limit", 0);
  CHECK(j.asked(a, throw_atom::value).find("as told") != std::string::npos);
  CHECK_THROWS_WITH_AS(j.the_job().wait(), "step 'limit' of job 'j' failed in subtask 0\n  note: as told", job_failed);
}

TEST_CASE("only operators with handlers have an actor") {
  one_job j;
  CHECK(error_of([&] { actor_of(j.the_job(), "same", 0); }) == "step 'same' has no message handlers of its own");
  CHECK(error_of([&] { actor_of(j.the_job(), "lost", 0); }) == "there is no step 'lost' in job 'j'");
  CHECK(error_of([&] { actor_of(j.the_job(), "limit", 7); }) == "step 'limit' has 1 subtasks, so none has the number 7");
  j.the_job().cancel();
  CHECK(j.the_job().wait() == job_phase::cancelled);
  CHECK(error_of([&] { actor_of(j.the_job(), "limit", 0); }) == "job 'j' has ended");
}
