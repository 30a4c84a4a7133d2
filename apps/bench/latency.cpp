// How old rows are when they reach the sink behind a running sum by key, at given rates.
#include "support/arguments.hpp"
#include "support/compare.hpp"
#include "support/latencies.hpp"
#include "support/machine.hpp"

#include <spillway.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <vector>

namespace sw = spillway;

namespace {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// `due` is when the row had to be made at the rate asked for, `made` when it was.
struct tick {
  std::int64_t key = 0, value = 0, due = 0, made = 0;
};
BOOST_DESCRIBE_STRUCT(tick, (), (key, value, due, made))

/// Makes the rows of one subtask, whose numbers follow one another. The first is due when it is made.
class clockwork {
 public:
  clockwork(double ns_between, std::int64_t keys) : ns_between_(ns_between), keys_(keys) {}

  tick operator()(std::uint64_t i) {
    const auto now = now_ns();
    if (start_.empty()) {
      start_.push_back(now);
      first_ = i;
    }
    const auto due = start_[0] + static_cast<std::int64_t>(ns_between_ * static_cast<double>(i - first_));
    return {static_cast<std::int64_t>(i) % keys_, 1, due, now};
  }

 private:
  double ns_between_;
  std::int64_t keys_;
  std::uint64_t first_ = 0;
  std::vector<std::int64_t> start_;
};

/// A sum that keeps the times of the row it was last changed by.
struct timed_sum {
  std::int64_t sum = 0, due = 0, made = 0;
  void add(const tick& t) {
    sum += t.value;
    due = t.due;
    made = t.made;
  }
};
BOOST_DESCRIBE_STRUCT(timed_sum, (), (sum, due, made))

struct ages {
  std::mutex mutex;
  bench::latencies since_due, since_made;
  bench::totals all;
};

/// Reads the clock when a batch arrives. Rows of the first `skip` nanoseconds are not looked at.
struct age_sink {
  std::shared_ptr<ages> into;
  std::int64_t skip = 0;

  template <sw::record T>
  std::unique_ptr<sw::sink_writer<T>> open(const sw::sink_context&) const {
    class writer final : public sw::sink_writer<T> {
     public:
      explicit writer(const age_sink& s) : into_(s.into), from_(now_ns() + s.skip) {}
      void write(const sw::batch_of<T>& rows) override {
        const auto now = now_ns();
        all_.rows += rows.size();
        for (const auto& r : rows.rows()) {
          if (r.value.due < from_) continue;
          since_due_.add(now - r.value.due);
          since_made_.add(now - r.value.made);
        }
      }
      void close() override {
        std::lock_guard lock{into_->mutex};
        into_->since_due.merge(since_due_);
        into_->since_made.merge(since_made_);
        into_->all += all_;
      }

     private:
      std::shared_ptr<ages> into_;
      std::int64_t from_;
      bench::latencies since_due_, since_made_;
      bench::totals all_;
    };
    return std::make_unique<writer>(*this);
  }
};

struct settings {
  double seconds = 5;
  std::int64_t keys = 0;
};

void print_ages(const bench::latencies& l, const char* since) {
  const auto us = [](std::uint64_t ns) { return static_cast<double>(ns) / 1000; };
  std::printf("  %-5s %9.0f %9.0f %9.0f %9.0f", since, us(l.quantile(0.5)), us(l.quantile(0.99)), us(l.quantile(0.9999)),
              us(l.max()));
}

void measure(const settings& s, const sw::options& o, double rate, const std::string& what) {
  const auto rows = static_cast<std::uint64_t>(rate * s.seconds);
  auto found = std::make_shared<ages>();
  sw::pipeline p;
  p.read(sw::generate(rows, clockwork{1e9 / rate * o.parallelism, s.keys}, {.rows_per_second = rate}))
      .key_by(&tick::key)
      .running("sum", timed_sum{})
      .write(age_sink{found, static_cast<std::int64_t>(s.seconds * 1e8)});
  const auto before = bench::cpu_times::now();
  sw::run(p, o);
  const auto during = bench::cpu_times::now() - before;
  bench::check("rows at the sink", found->all, {rows, 0});
  std::printf("%-16s %9.0f", what.c_str(), rate);
  print_ages(found->since_due, "due");
  print_ages(found->since_made, "made");
  std::printf("   %5.1f %6.0f\n", 100 * during.own / during.all, 100 * bench::share_of_others(during));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  bench::arguments args{argc, argv, "bench_latency: how old rows are when they reach the sink behind a running sum by key"};
  settings s;
  s.seconds = args.real("seconds", 5, "length of each run; the first tenth is not looked at");
  s.keys = static_cast<std::int64_t>(args.number("keys", 10'000, "keys of the sum"));
  const auto only = args.real("rate", 0, "only this number of rows a second; 0 is 1 000, 100 000 and 1 000 000");
  const auto all = args.number("variants", 1, "1: with other settings too; 0: with the defaults only");
  const std::chrono::seconds patience{args.number("patience", 0, "seconds to wait for an idle machine before the first run")};
  args.done();

  struct variant {
    const char* name;
    const char* policy;
    std::chrono::microseconds timeout;
  };
  const sw::options defaults;
  std::vector<variant> variants{{"defaults", defaults.policy.c_str(), defaults.buffer_timeout}};
  if (all != 0)
    for (const char* policy : {"sharing", "stealing"})
      for (const auto timeout : {std::chrono::microseconds{0}, std::chrono::microseconds{10'000}})
        variants.push_back({policy, policy, timeout});

  std::printf("machine: %.0f %% idle before\n", 100 * bench::idle_share_before(patience));
  std::printf("%-16s %9s  %-5s %9s %9s %9s %9s  %-5s %9s %9s %9s %9s   %5s %6s\n", "settings", "rows/s", "since", "p50 us", "p99",
              "p99.99", "max", "since", "p50 us", "p99", "p99.99", "max", "own %", "others");
  for (const auto& v : variants) {
    auto o = defaults;
    o.parallelism = o.threads = 2;
    o.policy = v.policy;
    o.buffer_timeout = v.timeout;
    const auto name = std::string{v.name} + " " + std::to_string(v.timeout.count() / 1000) + " ms";
    for (const double rate : {1e3, 1e5, 1e6})
      if (only == 0 || only == rate) measure(s, o, rate, name);
  }
}
