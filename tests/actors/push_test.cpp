#include "actors/sources/push.hpp"

#include "actors/pipeline.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

using namespace spillway;
using namespace spillway::tests;

namespace {

/// Ends when it is left, whatever happens.
struct threads {
  ~threads() { join(); }
  template <class F>
  void add(F f) {
    all.emplace_back(std::move(f));
  }
  void join() {
    for (auto& t : all) t.join();
    all.clear();
  }
  std::vector<std::thread> all;
};

/// Holds back whoever calls `pass` until it is opened.
class gate {
 public:
  void pass() { opened_.wait(false); }
  void open() {
    opened_ = true;
    opened_.notify_all();
  }

 private:
  std::atomic<bool> opened_ = false;
};

}  // namespace

TEST_CASE("a job reads what threads push, and ends when its inbox is closed") {
  inbox<number> in{16};
  numbers seen;
  pipeline p;
  p.read("in", in).map("twice", [](number n) { return 2 * n; }).write("out", to_vector{seen});
  auto job = start(p);
  threads pushers;
  std::atomic<int> running = 4;
  for (number t = 0; t < 4; ++t)
    pushers.add([&, t] {
      for (number i = 0; i < 5000; ++i)
        if (!in.push(i * 4 + t)) return;
      if (--running == 0) in.close();
    });
  CHECK(job.wait() == job_phase::finished);
  pushers.join();
  numbers all(20'000);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<number>(2 * i);
  CHECK(sorted(seen) == all);
}

TEST_CASE("rows pushed one at a time are answered one at a time") {
  inbox<number> in;
  std::atomic<number> last = -1;
  pipeline p;
  p.read("in", in).write("out", to_callback{[&](const number& n) {
                           last = n;
                           last.notify_all();
                         }});
  auto job = start(p);
  for (number n = 0; n < 200; ++n) {
    REQUIRE(in.push(n));
    last.wait(n - 1);
    REQUIRE(last == n);
  }
  in.close();
  CHECK(job.wait() == job_phase::finished);
}

TEST_CASE("a job that is cancelled, or fails, tells those who wait to push") {
  for (const auto fails : {false, true}) {
    inbox<number> in{4};
    gate g;
    std::atomic<int> pushed = 0, refused = 0;
    pipeline p;
    p.read("in", in).write("out", to_callback{[&](const number&) {
                             g.pass();
                             if (fails) throw std::runtime_error{"enough"};
                           }});
    auto job = start(p);
    threads pushers;
    for (int t = 0; t < 4; ++t)
      pushers.add([&] {
        while (in.push(1)) ++pushed;
        ++refused;
      });
    pushed.wait(0);
    if (!fails) job.cancel();
    g.open();
    if (fails)
      CHECK_THROWS_AS(job.wait(), job_failed);
    else
      CHECK(job.wait() == job_phase::cancelled);
    pushers.join();
    CHECK(refused == 4);
    CHECK_FALSE(in.push(1));
  }
}
