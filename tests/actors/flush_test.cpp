#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;

namespace {

/// Source, an exchange by key, sink, with a buffer timeout of 10 ms.
struct one_job : deterministic {
  template <class Source>
  explicit one_job(Source source) {
    pipeline p;
    p.read("in", source)
        .key_by([](number x) { return x; })
        .reduce("same", [](number, number x) { return x; })
        .write("out", to_callback{[this](number x) { rows.push_back(x); }});
    auto how = tight();
    how.buffer_timeout = 10ms;
    start(p, how);
  }
  numbers rows;
};

}  // namespace

TEST_CASE("a lone row arrives without waiting when the job has nothing else to do") {
  one_job j{timed{{{0s, {1}}, {1s, {2, 3}}}}};
  j.settle();
  CHECK(j.rows == numbers{1});
  j.advance(999'999us);
  CHECK(j.rows == numbers{1});
  j.advance(1us);
  CHECK(sorted(j.rows) == numbers{1, 2, 3});
}

TEST_CASE("a job with nothing to do does nothing: no message, no timer but the source's own") {
  one_job j{timed{{{0s, {1, 2, 3, 4}}, {1ms, {5}}}}};
  j.settle();
  j.advance(1ms);
  j.advance(10ms);
  CHECK_FALSE(j.scheduler.has_job());
  CHECK(j.timeouts() == 1);
  j.advance(59min);
  CHECK_FALSE(j.scheduler.has_job());
  CHECK(j.timeouts() == 1);
  CHECK(j.rows.size() == 5);
}

TEST_CASE("in a busy job a row waits for its batch to fill, but no longer than the buffer timeout") {
  // Busy: the source has rows to look for all the time, and time passes only when it is told to.
  std::vector<scripted::step> reads{[](batch_of<number>& to) {
    to.push(7);
    return read_result::more();
  }};
  reads.insert(reads.end(), 40'000, [](auto&) { return read_result::more(); });
  one_job j{scripted{reads}};
  std::mt19937 random{1};
  const auto work = [&] {
    for (int i = 0; i < 500; ++i) REQUIRE(j.step(random));
  };
  work();
  CHECK(j.rows.empty());
  j.scheduler.advance_time(9'999us);
  work();
  CHECK(j.rows.empty());
  j.scheduler.advance_time(1us);
  work();
  CHECK(j.rows == numbers{7});
}

namespace {

struct flushing_sink {
  std::vector<std::string>* trace;
  struct writer final : sink_writer<number> {
    explicit writer(std::vector<std::string>* trace) : trace(trace) {}
    void write(const batch_of<number>& rows) override { trace->push_back("write " + std::to_string(rows.size())); }
    void flush() override { trace->push_back("flush"); }
    void close() override { trace->push_back("close"); }
    std::vector<std::string>* trace;
  };
  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context&) const {
    return std::make_unique<writer>(trace);
  }
};

}  // namespace

TEST_CASE("a sink is told to show what it has after the buffer timeout, once") {
  using texts = std::vector<std::string>;
  texts trace;
  deterministic d;
  pipeline p;
  p.read("in", timed{{{0s, {1}}, {1s, {2}}}}).rebalance().write("out", flushing_sink{&trace});
  auto how = deterministic::tight();
  how.parallelism = 1;
  how.buffer_timeout = 10ms;
  d.start(p, how);
  d.settle();
  CHECK(trace == texts{"write 1"});
  d.advance(10ms);
  CHECK(trace == texts{"write 1", "flush"});
  d.advance(500ms);
  CHECK(trace == texts{"write 1", "flush"});
  d.advance(490ms);
  CHECK(trace == texts{"write 1", "flush", "write 1"});
  d.the_job().cancel();
  d.settle();
  CHECK(trace.back() != "close");
}

TEST_CASE("waiting for a while under virtual time passes that much of it") {
  one_job j{timed{{{0s, {1}}, {1s, {2}}}}};
  CHECK(j.the_job().wait_for(500ms) == job_phase::running);
  CHECK(j.rows == numbers{1});
  CHECK(j.the_job().wait_for(499ms) == job_phase::running);
  CHECK(j.rows == numbers{1});
  CHECK(j.the_job().wait_for(1ms) == job_phase::running);
  CHECK(sorted(j.rows) == numbers{1, 2});
  j.the_job().cancel();
  CHECK(j.the_job().wait_for(0ms) == job_phase::cancelled);
}
