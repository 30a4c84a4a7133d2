// Correct uses of the pipeline API: that they compile is most of the test.
#include "actors/pipeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sw = spillway;
using namespace std::chrono_literals;

namespace {

enum class carrier { blue, red };
BOOST_DESCRIBE_ENUM(carrier, blue, red)

struct place {
  std::string airport;
  int gate = 0;
};
BOOST_DESCRIBE_STRUCT(place, (), (airport, gate))

struct flight {
  sw::timestamp when;
  int delay = 0;
  carrier by = carrier::blue;
  place from;
  std::string to;
  std::optional<double> price;
  std::string tail() const { return from.airport + to; }
};
BOOST_DESCRIBE_STRUCT(flight, (), (when, delay, by, from, to, price))

/// An aggregate that is a record.
struct delays {
  std::int64_t flights = 0;
  int worst = std::numeric_limits<int>::min();
  void add(const flight& f) {
    ++flights;
    worst = std::max(worst, f.delay);
  }
  void merge(const delays& o) {
    flights += o.flights;
    worst = std::max(worst, o.worst);
  }
};
BOOST_DESCRIBE_STRUCT(delays, (), (flights, worst))

/// With a result of another type.
struct share {
  int late = 0, all = 0;
  void add(const flight& f) {
    late += f.delay > 15;
    ++all;
  }
  double result() const { return static_cast<double>(late) / all; }
};
BOOST_DESCRIBE_STRUCT(share, (), (late, all))

/// An aggregate whose settings are apart from its state.
struct later_than {
  int limit;
  std::int64_t init() const { return 0; }
  void add(std::int64_t& n, const flight& f) const { n += f.delay > limit; }
  void merge(std::int64_t& n, std::int64_t other) const { n += other; }
  std::int64_t result(std::int64_t n) const { return n; }
};

struct spent {
  double sum = 0;
};
BOOST_DESCRIBE_STRUCT(spent, (), (sum))

struct watch : sw::keyed_operator<std::string, flight, double> {
  explicit watch(double limit, std::string = "") : limit_(limit) {}
  void on_row(const flight& f, auto& ctx) {
    spent_->sum += f.price.value_or(0);
    if (spent_->sum > limit_) ctx.emit(spent_->sum, f.when);
    if (ctx.key().empty()) ctx.emit({});
  }
  void on_end(auto& ctx) { ctx.emit(spent_->sum); }
  spent on_query(const int& least) const noexcept { return {static_cast<double>(least)}; }

 private:
  double limit_;
  sw::value_state<spent> spent_{this, "spent"};
};

class halves final : public sw::stream_operator<flight, place> {
 public:
  void on_row(const flight& f, auto& ctx) {
    ctx.emit(f.from);
    ctx.emit({f.to, 0}, ctx.time());
  }
};

/// A member named like a type of ours, and options after it.
struct from_memory {
  using row = flight;
  static constexpr auto bounds = sw::unbounded;
  static constexpr bool blocking = true;
  spillway::columns<flight> columns{};
  std::string pipeline = "";
  std::unique_ptr<sw::source_reader<flight>> open(const sw::source_context&) const { return nullptr; }
};

/// A part of a pipeline.
auto worst(auto flights) {
  return flights.filter([](const auto& f) { return f.delay > 0; })
      .key_by(&flight::by)
      .aggregate("worst", sw::max(&flight::delay), [](carrier by, const std::optional<int>& delay) {
        return std::pair{by, delay.value_or(0)};
      });
}

auto in_minutes(auto flights) { return flights.map("minutes", &flight::delay); }

void airports(const flight& f, sw::out<std::string>& out) {
  out(f.from.airport);
  out(f.to);
}

using names = std::vector<std::string>;

struct composed {
  sw::pipeline p;
  sw::stream<flight, sw::bounded> all = p.read("history", sw::from(std::vector<flight>(3)));
  sw::stream<flight, sw::unbounded> live = p.read("live", from_memory{.columns = {{"when", &flight::when}}, .pipeline = "own"});
};

}  // namespace

TEST_CASE_FIXTURE(composed, "functions of rows may be generic, members, member functions and noexcept") {
  CHECK(all.map([](const auto& f) { return f.delay; }).columns() == names{"value"});
  CHECK(all.map(&flight::from).columns() == names{"airport", "gate"});
  CHECK(all.map(&flight::tail).columns() == names{"value"});
  CHECK(all.map(std::string{"parse"}, [](const flight& f) noexcept { return f.from; }).map(&place::gate).columns() ==
        names{"value"});
  CHECK(all.filter(std::string_view{"late"}, [](auto& f) { return f.delay; }).columns().size() == all.columns().size());
  CHECK(all.flat_map([](const flight& f, sw::out<place>& out) {
             out(f.from), out({f.to, 1}, f.when);
           })
            .columns() == names{"airport", "gate"});
  CHECK(all.flat_map("both", [](flight f, sw::out<place>& out) noexcept { out(f.from); }).columns() == names{"airport", "gate"});
  CHECK(all.flat_map(&airports).columns() == names{"value"});
}

TEST_CASE_FIXTURE(composed, "parts of a pipeline are functions of an auto stream") {
  CHECK(worst(all).columns() == names{"value1", "value2"});
  CHECK(in_minutes(live).columns() == names{"value"});
  CHECK(all.apply([](auto s) { return worst(s); }).columns() == worst(all).columns());
  CHECK(all.apply([](auto s) { return in_minutes(s); }).rebalance().map([](int d) { return d / 60; }).parallelism(2).bounds ==
        sw::bounded);
}

TEST_CASE_FIXTURE(composed, "keys are members, functions, named functions, the row itself, several, or none") {
  const auto count = [](const auto& keyed) { return keyed.aggregate("flights", sw::count()).columns(); };
  CHECK(count(all.key_by(&flight::by)) == names{"by", "flights"});
  CHECK(count(all.key_by(&flight::from)) == names{"airport", "gate", "flights"});
  CHECK(count(all.key_by(&flight::tail)) == names{"key", "flights"});
  CHECK(count(all.key_by([](const auto& f) { return f.when; })) == names{"key", "flights"});
  CHECK(count(all.key_by(sw::key("day", [](const flight& f) { return std::chrono::floor<std::chrono::days>(f.when); }))) ==
        names{"day", "flights"});
  CHECK(count(all.key_by(&flight::by, &flight::delay, sw::key("tail", &flight::tail))) ==
        names{"by", "delay", "tail", "flights"});
  CHECK(count(all.key_by()) == names{"flights"});
  CHECK(count(all.map(&flight::delay).key_by(sw::itself)) == names{"key", "flights"});
}

TEST_CASE_FIXTURE(composed, "aggregates are records, settings or ready-made, named or not, with a row of one's own or without") {
  const auto by = all.key_by(&flight::by);
  const auto late = [](const flight& f) { return f.delay > 15; };
  const auto own = [](carrier, const auto& value) { return value; };
  CHECK(by.aggregate(delays{}).columns() == names{"by", "flights", "worst"});
  CHECK(by.aggregate("share", share{}).columns() == names{"by", "share"});
  CHECK(all.rebalance().filter(late).key_by().aggregate(delays{}, [](sw::no_key, const auto& d) { return d; }).columns() ==
        names{"flights", "worst"});
  CHECK(by.aggregate("late", later_than{.limit = 15}, own).columns() == names{"value"});
  CHECK(by.aggregate("sum", sw::sum(&flight::delay)).columns() == names{"by", "sum"});
  CHECK(by.aggregate("minutes", sw::sum([](const auto& f) { return std::chrono::minutes{f.delay}; })).columns() ==
        names{"by", "minutes"});
  CHECK(by.aggregate("mean", sw::mean(&flight::delay)).columns() == names{"by", "mean"});
  CHECK(by.aggregate("min", sw::min(&flight::tail)).columns() == names{"by", "min"});
  CHECK(by.aggregate("max", sw::max(&flight::when)).columns() == names{"by", "max"});
  CHECK(all.key_by().aggregate("top", sw::top(3, [](const auto& f) { return f.price; })).columns() == all.columns());
}

TEST_CASE_FIXTURE(composed, "running values and reductions need no end") {
  const auto by = live.key_by(&flight::by);
  CHECK(by.running("delays", delays{}).columns() == names{"by", "flights", "worst"});
  CHECK(by.running("late", later_than{15}).columns() == names{"by", "late"});
  CHECK(by.running("share", share{}, [](const auto&, double s) { return s; }).columns() == names{"value"});
  CHECK(by.running(share{}, [](const auto&, double s) { return s; }).bounds == sw::unbounded);
  CHECK(by.reduce([](const flight& a, const auto& b) { return a.delay < b.delay ? b : a; }).columns() == live.columns());
  CHECK(by.reduce(
              "last", [](const auto&, const auto& b) -> const auto& { return b; })
            .columns() == live.columns());
}

TEST_CASE_FIXTURE(composed, "operators of one's own are named or not, and may be final") {
  CHECK(live.key_by(&flight::tail).process("watch", sw::op<watch>(1000.0, "USD")).columns() == names{"value"});
  CHECK(live.key_by(&flight::tail).process(sw::op<watch>(1000)).columns() == names{"value"});
  CHECK(all.process("halves", sw::op<halves>()).columns() == names{"airport", "gate"});
  CHECK(all.process(sw::op<halves>()).columns() == names{"airport", "gate"});
}

TEST_CASE_FIXTURE(composed, "a union is unbounded if one of its streams is") {
  CHECK(all.union_with(all).bounds == sw::bounded);
  CHECK(all.union_with(all, live).bounds == sw::unbounded);
  CHECK(all.union_with("everything", live, all).map(&flight::delay).columns() == names{"value"});
}

TEST_CASE_FIXTURE(composed, "sources and sinks are descriptions, named or not") {
  p.read(sw::csv<flight>{.path = "flights.csv", .columns = {{"late", &flight::delay}}, .delimiter = ';'})
      .write(sw::to_csv{"out.csv"});
  p.read("numbers", sw::generate(3, [](std::uint64_t i) { return i; })).write("sink", sw::to_callback{[](std::uint64_t) {}});
  p.read(sw::generate_forever([](std::uint64_t i) { return i; }, {.rows_per_second = 10})).write(sw::to_stdout{});
  auto rows = std::make_shared<std::vector<place>>();
  all.map(&flight::from).broadcast().write("places", sw::to_vector{rows});
  CHECK(p.graph().steps.size() == 10);
}
