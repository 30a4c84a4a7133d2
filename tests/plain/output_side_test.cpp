#include "actors/exchange/output_side.hpp"
#include "actors/exchange/partition_queues.hpp"
#include "tests/plain/interleavings.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace spillway;
using namespace spillway::tests;

namespace {

/// Writes down what is sent, such as "1 rows 5".
struct one_edge : output_port {
  explicit one_edge(std::uint32_t subpartitions) : writer{7, subpartitions, *this} {}

  void send(std::uint32_t edge, std::uint32_t sub, element e) override {
    CHECK(edge == 7);
    out.push_back(std::to_string(sub) + " " + text_of(e));
  }
  lines put(std::uint32_t sub, const std::string& rows) {
    writer.put(sub, element_of(rows).rows);
    return std::exchange(out, {});
  }
  lines mark(const std::string& line) {
    writer.put_all(element_of(line).mark);
    return std::exchange(out, {});
  }
  lines permit(std::uint32_t sub, std::uint32_t batches) {
    writer.permit(sub, batches);
    return std::exchange(out, {});
  }

  edge_writer writer;
  lines out;
};

}  // namespace

TEST_CASE("a batch takes a permit, a mark goes to every subpartition and takes none") {
  one_edge e{2};
  CHECK(e.mark("header live") == lines{"0 header live", "1 header live"});
  CHECK(e.permit(1, 2) == lines{});
  CHECK(e.put(1, "rows 1") == lines{"1 rows 1"});
  CHECK(e.mark("barrier 1") == lines{"0 barrier 1", "1 barrier 1"});
  CHECK((e.writer.permits(0) == 0 && e.writer.permits(1) == 1));
  e.permit(1, 3);
  CHECK(e.writer.permits(1) == 4);
  CHECK_FALSE(e.writer.blocked());
}

TEST_CASE("what lacks a permit waits, and what comes after it waits behind it, on its own subpartition only") {
  one_edge e{2};
  e.permit(1, 5);
  CHECK(e.put(0, "rows 1") == lines{});
  CHECK(e.writer.blocked());
  CHECK(e.mark("watermark 1") == lines{"1 watermark 1"});
  CHECK(e.put(0, "rows 2") == lines{});
  CHECK(e.put(1, "rows 3") == lines{"1 rows 3"});
  CHECK(e.mark("end") == lines{"1 end"});
  CHECK(e.writer.queued(0) == 4);
  CHECK(e.permit(0, 1) == lines{"0 rows 1", "0 watermark 1"});
  CHECK(e.writer.blocked());
  CHECK(e.permit(0, 3) == lines{"0 rows 2", "0 end"});
  CHECK_FALSE(e.writer.blocked());
  CHECK((e.writer.queued(0) == 0 && e.writer.permits(0) == 2));
}

TEST_CASE("a task is blocked until the last subpartition that lacks permits got them") {
  one_edge e{2};
  e.put(0, "rows 1");
  e.put(1, "rows 2");
  e.permit(0, 1);
  CHECK(e.writer.blocked());
  e.permit(1, 1);
  CHECK_FALSE(e.writer.blocked());
}

namespace {

/// A writer, its partition and the consumers of one edge. Messages between them wait in `to_partition` and `to_writer`.
class whole_edge : public output_port, public partition_port {
 public:
  explicit whole_edge(std::uint32_t seed)
      : random_{seed},
        permits_(1 + random_() % 3),
        ends_(1 + random_() % 4),
        writer_{0, size(), *this},
        queues_{ends_.size(), permits_} {
    queues_.attach(*this);
    for (std::uint32_t sub = 0; sub < size(); ++sub) queues_.open(sub, ends_[sub].credit = 1 + random_() % 3, *this);
  }

  void run() {
    std::size_t steps = 0;
    for (int inputs = 60; !queues_.done(); ++steps) {
      REQUIRE(steps < 20'000);
      switch (random_() % 4) {
        case 0:
          if (!writer_.blocked() && inputs > 0) input(--inputs == 0);
          break;
        case 1:
          to_partition();
          break;
        case 2:
          to_writer();
          break;
        default:
          give_credit();
      }
      check();
    }
    for (const auto& end : ends_) REQUIRE(only(end.got, {"rows", "barrier", "end"}) == end.put);
  }

  void send(std::uint32_t, std::uint32_t sub, element e) override { sent_.emplace_back(sub, std::move(e)); }
  void permit(std::uint32_t sub, std::uint32_t batches) override { granted_.emplace_back(sub, batches); }
  void deliver(std::uint32_t sub, element e) override {
    ends_[sub].in_flight += e.is_batch();
    ends_[sub].got.push_back(text_of(e));
  }

 private:
  struct both_ends {
    lines put, got;
    std::uint32_t credit = 0, in_flight = 0;
  };

  std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }

  /// What one input of a task leads to: some batches here and there, perhaps more than there are permits, or a mark.
  void input(bool last) {
    const auto n = std::to_string(++count_);
    if (const auto mark = last ? "end" : "barrier " + n; last || random_() % 4 == 0) {
      for (auto& end : ends_) end.put.push_back(mark);
      return writer_.put_all(element_of(mark).mark);
    }
    for (auto batches = random_() % 4; batches > 0; --batches) {
      const std::uint32_t sub = random_() % size();
      ends_[sub].put.push_back("rows " + n);
      writer_.put(sub, element_of("rows " + n).rows);
    }
  }

  void to_partition() {
    if (sent_.empty()) return;
    auto [sub, e] = std::move(sent_.front());
    sent_.pop_front();
    queues_.put(sub, std::move(e), *this);
  }

  void to_writer() {
    if (granted_.empty()) return;
    const auto [sub, batches] = granted_.front();
    granted_.pop_front();
    writer_.permit(sub, batches);
  }

  void give_credit() {
    const std::uint32_t sub = random_() % size();
    if (ends_[sub].in_flight == 0) return;
    --ends_[sub].in_flight;
    queues_.credit(sub, 1, *this);
  }

  void check() {
    for (std::uint32_t sub = 0; sub < size(); ++sub) {
      const auto& q = queues_.subpartitions()[sub].queue;
      REQUIRE(std::count_if(q.begin(), q.end(), [](auto& e) { return e.is_batch(); }) <= permits_);
      REQUIRE(ends_[sub].in_flight <= ends_[sub].credit);
      REQUIRE(writer_.queued(sub) <= 3);
    }
  }

  std::mt19937 random_;
  std::uint32_t permits_;
  std::vector<both_ends> ends_;
  edge_writer writer_;
  partition_queues queues_;
  std::deque<std::pair<std::uint32_t, element>> sent_;
  std::deque<std::pair<std::uint32_t, std::uint32_t>> granted_;
  int count_ = 0;
};

}  // namespace

TEST_CASE("an edge from writer to consumers keeps order and bounds, loses nothing and ends") {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    whole_edge{seed}.run();
  }
}
