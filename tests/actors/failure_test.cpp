#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

using namespace spillway;
using namespace spillway::tests;

namespace {

number three(number x) { return x == 3 ? throw std::runtime_error("three") : x; }
constexpr auto same = [](number x) { return x; };

/// The text with which the job fails; its actors must all be gone then, without any time passing.
template <class Build>
std::string failure_of(Build build, options how = deterministic::tight()) {
  deterministic d;
  const auto before = d.running();
  pipeline p;
  build(p);
  how.name = "j";
  auto& j = d.start(p, how);
  d.settle();
  CHECK(d.running() == before);
  std::string text;
  for (int i = 0; i < 2; ++i) try {
      j.wait();
    } catch (const job_failed& e) {
      CHECK((text.empty() || text == e.what()));
      text = e.what();
    }
  CHECK(j.inspect().phase == job_phase::failed);
  return text;
}

template <class Build>
std::string failure_alone(Build build) {
  auto how = deterministic::tight();
  how.parallelism = 1;
  return failure_of(build, how);
}

auto discard() {
  return to_callback{[](const auto&) {}};
}

}  // namespace

TEST_CASE("user code that throws fails the job once, with step, subtask, row and cause") {
  const auto numbers = one_by_one{100};
  CHECK(failure_of([&](pipeline& p) { p.read("in", numbers).map("parse", three).write("out", discard()); }) ==
        "step 'parse' of job 'j' failed in subtask 1 on row 3\n  note: three");
  CHECK(failure_of([&](pipeline& p) {
          p.read("in", numbers).filter("keep", [](number x) { return three(x) > 1; }).write(discard());
        }) == "step 'keep' of job 'j' failed in subtask 1 on row 3\n  note: three");
  CHECK(failure_of([&](pipeline& p) {
          p.read("in", numbers).flat_map("split", [](number x, out<number>& to) { to(three(x)); }).write(discard());
        }) == "step 'split' of job 'j' failed in subtask 1 on row 3\n  note: three");
  CHECK(failure_of([&](pipeline& p) { p.read("in", numbers).write("out", to_callback{[](number x) { three(x); }}); }) ==
        "step 'out' of job 'j' failed in subtask 1\n  note: three");
}

TEST_CASE("what is thrown need not be an exception") {
  CHECK(failure_alone([](pipeline& p) {
          p.read("in", one_by_one{9}).map("parse", [](number x) { return x == 3 ? throw 3 : x; }).write(discard());
        }) == "step 'parse' of job 'j' failed in subtask 0 on row 3\n  note: it threw something that is not a std::exception");
  CHECK(failure_alone([](pipeline& p) {
          p.read("in", scripted{{[](auto&) -> read_result { throw "text"; }}}).write(discard());
        }) == "step 'in' of job 'j' failed in subtask 0\n  note: it threw something that is not a std::exception");
}

namespace {

struct picky {
  number limit = 0;
  bool at_result = false;
  number init() const { return 0; }
  void add(number& sum, number x) const { sum += !at_result && x == limit ? throw std::runtime_error("at add") : x; }
  number result(number sum) const { return at_result && sum > limit ? throw std::runtime_error("at result") : sum; }
};

}  // namespace

TEST_CASE("aggregates and keys that throw name their step and the row where there is one") {
  const auto failed = [](auto key, picky a, bool running) {
    return failure_alone([=](pipeline& p) {
      const auto keyed = p.read("in", one_by_one{10}).key_by(key);
      if (running)
        keyed.running("sum", a).write(discard());
      else
        keyed.aggregate("sum", a).write(discard());
    });
  };
  const std::string sum = "step 'sum' of job 'j' failed in subtask 0";
  CHECK(failed(same, picky{4}, true) == sum + " on row 4\n  note: at add");
  CHECK(failed(same, picky{4}, false) == sum + " on row 4\n  note: at add");
  CHECK(failed(same, picky{4, true}, true) == sum + " on row 5\n  note: at result");
  CHECK(failed(same, picky{4, true}, false) == sum + "\n  note: key 5: at result");
  CHECK(failed(three, picky{99}, true) == sum + " on row 3\n  note: key function: three");

  // Whoever calls the function for it.
  CHECK(failure_of([](pipeline& p) { p.read("in", one_by_one{10}).key_by(three).running("sum", count()).write(discard()); }) ==
        "step 'sum' of job 'j' failed in subtask 1 on row 3\n  note: key function: three");
  CHECK(failure_alone([](pipeline& p) {
          p.read("in", one_by_one{10}).key_by().aggregate("all", picky{4, true}).write(discard());
        }) == "step 'all' of job 'j' failed in subtask 0\n  note: at result");
}

namespace {

struct throwing_operator : keyed_operator<number, number, number> {
  explicit throwing_operator(int where) : where(where) {
    if (where == 0) throw std::runtime_error("in the constructor");
  }
  void on_row(const number& x, auto& ctx) {
    if (where == 1 && x == 7) throw std::runtime_error("in on_row");
    ++*seen;
    ctx.emit(x);
  }
  void on_end(auto& ctx) {
    if (where == 2 && ctx.key() == 7) throw std::runtime_error("in on_end");
  }
  int where;
  value_state<int> seen{this, "seen"};
};

}  // namespace

TEST_CASE("operators of one's own may throw wherever they are called") {
  const auto failed = [](int where) {
    return failure_alone([=](pipeline& p) {
      p.read("in", one_by_one{10}).key_by(same).process("own", op<throwing_operator>(where)).write("out", discard());
    });
  };
  const std::string own = "step 'own' of job 'j' failed in subtask 0";
  CHECK(failed(0) == own + "\n  note: in the constructor");
  CHECK(failed(1) == own + " on row 7\n  note: in on_row");
  CHECK(failed(2) == own + "\n  note: key 7: in on_end");
}

namespace {

struct two_of_a_name : keyed_operator<number, number, number> {
  void on_row(const number&, auto&) {}
  value_state<int> seen{this, "seen"};
  value_state<number> last{this, "last"}, also{this, "seen"};
};

}  // namespace

TEST_CASE("an operator whose states share a name cannot be made") {
  CHECK(failure_alone([](pipeline& p) {
          p.read("in", one_by_one{10}).key_by(same).process("own", op<two_of_a_name>()).write("out", discard());
        }) ==
        "step 'own' of job 'j' failed in subtask 0\n  note: two states are called 'seen': a state's name is its identity\n"
        "  help: rename one of them");
}

namespace {

struct throwing_sink {
  std::string where;

  struct writer final : sink_writer<number> {
    explicit writer(std::string where) : where(std::move(where)) {}
    void write(const batch_of<number>&) override { check("write"); }
    void flush() override { check("flush"); }
    void close() override { check("close"); }
    void check(const std::string& now) const {
      if (now == where) throw std::runtime_error("cannot " + now);
    }
    std::string where;
  };
  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context&) const {
    if (where == "open") throw std::runtime_error("cannot open");
    return std::make_unique<writer>(where);
  }
};

struct throwing_source : one_by_one {
  std::string where;

  struct reader final : source_reader<number> {
    read_result read(batch_of<number>&) override { throw std::runtime_error("cannot read"); }
  };
  std::unique_ptr<source_reader<number>> open(const source_context&) const {
    if (where == "open") throw std::runtime_error("cannot open");
    return std::make_unique<reader>();
  }
};
struct throwing_source_blocking : throwing_source {
  static constexpr bool blocking = true;
};

}  // namespace

TEST_CASE("a sink that throws names its step, also when it is flushed") {
  for (const char* where : {"open", "write", "flush", "close"}) {
    CAPTURE(where);
    CHECK(failure_alone([&](pipeline& p) { p.read("in", one_by_one{5}).map("m", same).write("out", throwing_sink{where}); }) ==
          "step 'out' of job 'j' failed in subtask 0\n  note: cannot " + std::string{where});
  }
}

TEST_CASE("a source that throws names its step, in a task or on a thread of its own") {
  for (const char* where : {"open", "read"}) {
    CAPTURE(where);
    const auto expected = "step 'in' of job 'j' failed in subtask 0\n  note: cannot " + std::string{where};
    CHECK(failure_alone([&](pipeline& p) {
            p.read("in", throwing_source{{}, where}).map("m", same).write(discard());
          }) == expected);
    CHECK(failure_alone([&](pipeline& p) {
            p.read("in", throwing_source_blocking{{{}, where}}).map("m", same).write(discard());
          }) == expected);
  }
}

TEST_CASE("a failure ends the job whatever the order in which its actors work") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    deterministic d;
    const auto before = d.running();
    pipeline p;
    p.read("in", one_by_one{50})
        .key_by(same)
        .running("count", count())
        .rebalance()
        .map("fail", [](const keyed<number, number>& k) { return three(k.key); })
        .write("out", discard());
    auto& j = d.start(p);
    std::mt19937 random{seed};
    d.settle(random);
    REQUIRE(d.running() == before);
    CHECK_THROWS_AS(j.wait(), job_failed);
  }
}

TEST_CASE("a job whose actors cannot be made fails and is gone") {
  stepping_system s;
  const auto before = s.running();
  job_phase phase = job_phase::running;
  std::string text;
  job_setup setup;
  setup.name = "j";
  setup.deploy = [](caf::event_based_actor*) -> deployment { throw std::runtime_error("no threads left"); };
  setup.ended = [&](job_phase p, const std::string& error, const job_view&) { phase = p, text = error; };
  const auto j = s.system.spawn(make_job, setup);
  s.settle();
  CHECK(phase == job_phase::failed);
  CHECK(text == "job 'j' could not start\n  note: no threads left");
  CHECK(s.running() == before);
}
