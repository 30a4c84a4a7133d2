#include "actors/exchange/partition_queues.hpp"
#include "tests/plain/interleavings.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace spillway;
using namespace spillway::tests;

namespace {

/// Writes down what a partition does, such as "0 rows 1" and "0 permits 2".
struct one_partition : partition_port {
  one_partition(std::size_t subpartitions, std::uint32_t permits) : queues{subpartitions, permits} {}

  void deliver(std::uint32_t sub, element e) override { out.push_back(std::to_string(sub) + " " + text_of(e)); }
  void permit(std::uint32_t sub, std::uint32_t batches) override {
    out.push_back(std::to_string(sub) + " permits " + std::to_string(batches));
  }

  lines attach() { return queues.attach(*this), std::exchange(out, {}); }
  lines open(std::uint32_t sub, std::uint32_t credit) { return queues.open(sub, credit, *this), std::exchange(out, {}); }
  lines credit(std::uint32_t sub, std::uint32_t batches) { return queues.credit(sub, batches, *this), std::exchange(out, {}); }
  lines put(std::uint32_t sub, const lines& all) {
    for (const auto& line : all) queues.put(sub, element_of(line), *this);
    return std::exchange(out, {});
  }

  partition_queues queues;
  lines out;
};

}  // namespace

TEST_CASE("the producer gets its first permits for every subpartition, before any consumer has opened") {
  one_partition p{2, 3};
  CHECK(p.attach() == lines{"0 permits 3", "1 permits 3"});
}

TEST_CASE("nothing is delivered before open, then all that credit allows, in order") {
  one_partition p{1, 2};
  p.attach();
  CHECK(p.put(0, {"header live", "rows 1", "watermark 1", "rows 2", "barrier 1", "end"}) == lines{});
  CHECK(p.credit(0, 1) == lines{});
  CHECK(p.open(0, 0) == lines{"0 header live", "0 rows 1", "0 watermark 1", "0 permits 1"});
  CHECK_FALSE(p.queues.done());
  CHECK(p.credit(0, 5) == lines{"0 rows 2", "0 barrier 1", "0 end", "0 permits 1"});
  CHECK(p.queues.done());
}

TEST_CASE("control elements cost nothing, but wait behind the batches before them") {
  one_partition p{1, 2};
  p.attach();
  CHECK(p.open(0, 0) == lines{});
  CHECK(p.put(0, {"header live", "watermark 1", "backlog begins", "idle"}) ==
        lines{"0 header live", "0 watermark 1", "0 backlog begins", "0 idle"});
  CHECK(p.put(0, {"rows 1", "active", "watermark 2", "barrier 1"}) == lines{});
  CHECK(p.credit(0, 1) == lines{"0 rows 1", "0 active", "0 watermark 2", "0 barrier 1", "0 permits 1"});
  CHECK(p.put(0, {"rows 2"}) == lines{});
}

TEST_CASE("consecutive watermarks that wait are merged, but never across rows or marks") {
  one_partition p{1, 2};
  CHECK(p.put(0, {"rows 1", "watermark 1", "watermark 2", "rows 2", "watermark 3", "idle", "watermark 4"}) == lines{});
  CHECK(p.queues.subpartitions()[0].queue.size() == 6);
  CHECK(p.open(0, 2) ==
        lines{"0 rows 1", "0 watermark 2", "0 rows 2", "0 watermark 3", "0 idle", "0 watermark 4", "0 permits 2"});
  CHECK(p.put(0, {"watermark 5"}) == lines{"0 watermark 5"});
}

TEST_CASE("a slow consumer stalls its own subpartition only") {
  one_partition p{2, 1};
  p.attach();
  p.open(0, 0);
  p.open(1, 9);
  CHECK(p.put(0, {"rows 1"}) == lines{});
  CHECK(p.put(1, {"rows 2", "end"}) == lines{"1 rows 2", "1 permits 1", "1 end"});
  CHECK(p.queues.subpartitions()[1].ended);
  CHECK_FALSE(p.queues.done());
}

TEST_CASE("batches and rows that left are counted") {
  one_partition p{1, 9};
  p.open(0, 2);
  p.put(0, {"rows 1 2 3", "rows 4", "rows 5"});
  const auto& s = p.queues.subpartitions()[0];
  CHECK((s.batches == 2 && s.rows == 4 && s.credit == 0 && s.queue.size() == 1));
}

namespace {

/// A producer that keeps to its permits and consumers that give credit back for what they got, at random.
class random_edge : public partition_port {
 public:
  explicit random_edge(std::uint32_t seed)
      : random_{seed}, permits_(1 + random_() % 4), ends_(1 + random_() % 4), queues_{ends_.size(), permits_} {
    for (auto& end : ends_) end.left = random_() % 40;
  }

  void run() {
    queues_.attach(*this);
    std::size_t steps = 0;
    for (; !queues_.done(); check(), ++steps) {
      REQUIRE(steps < 20'000);
      const std::uint32_t sub = random_() % ends_.size();
      random_() % 2 ? produce(sub) : consume(sub);
    }
    for (const auto& end : ends_) {
      REQUIRE(end.got == merged(end));
      REQUIRE(end.got.back() == "end");
    }
  }

  void deliver(std::uint32_t sub, element e) override {
    auto& end = ends_[sub];
    REQUIRE(end.opened);
    if (e.is_batch()) {
      REQUIRE(end.credit > 0);
      --end.credit;
      ++end.worked_off;
    }
    end.got.push_back(text_of(e));
  }

  void permit(std::uint32_t sub, std::uint32_t batches) override {
    REQUIRE(batches > 0);
    ends_[sub].permits += batches;
  }

 private:
  struct both_ends {
    lines sent, got;
    std::uint32_t left = 0, permits = 0, credit = 0, worked_off = 0;
    bool opened = false;
  };

  /// The next element, unless it is a batch and there is no permit.
  void produce(std::uint32_t sub) {
    auto& end = ends_[sub];
    if (!end.sent.empty() && end.sent.back() == "end") return;
    const auto n = std::to_string(end.sent.size());
    std::string line = "end";
    if (end.left > 0) switch (random_() % 6) {
        case 0:
          line = "barrier " + n;
          break;
        case 1:
        case 2:
          line = "watermark " + n;
          break;
        default:
          line = "rows " + n;
      }
    if (line.starts_with("rows") && end.permits == 0) return;
    if (line.starts_with("rows")) --end.permits;
    end.left -= end.left > 0;
    end.sent.push_back(line);
    queues_.put(sub, element_of(line), *this);
  }

  /// Opens, or gives credit for some of the batches that came.
  void consume(std::uint32_t sub) {
    auto& end = ends_[sub];
    if (!end.opened) {
      end.opened = true;
      end.credit = random_() % 3;
      end.worked_off = end.credit == 0;
      return queues_.open(sub, end.credit, *this);
    }
    const auto batches = end.worked_off > 1 ? 1 + random_() % end.worked_off : end.worked_off;
    end.worked_off -= batches;
    end.credit += batches;
    if (batches > 0) queues_.credit(sub, batches, *this);
  }

  void check() {
    for (std::uint32_t sub = 0; sub < ends_.size(); ++sub) {
      const auto& s = queues_.subpartitions()[sub];
      const auto waiting = std::count_if(s.queue.begin(), s.queue.end(), [](auto& e) { return e.is_batch(); });
      REQUIRE(waiting + ends_[sub].permits == permits_);
      REQUIRE(s.credit == ends_[sub].credit);
      REQUIRE((s.queue.empty() || !s.opened || (s.queue.front().is_batch() && s.credit == 0)));
      REQUIRE(s.batches == only(ends_[sub].got, {"rows"}).size());
      if (!s.opened) REQUIRE(ends_[sub].got.empty());
    }
  }

  /// What was sent without the watermarks that were merged: `got` decides which, but only one right before another may go.
  static lines merged(const both_ends& end) {
    lines kept;
    for (std::size_t i = 0; i < end.sent.size(); ++i) {
      const bool may_go = end.sent[i].starts_with("watermark") && end.sent[i + 1].starts_with("watermark");
      if (!may_go || std::find(end.got.begin(), end.got.end(), end.sent[i]) != end.got.end()) kept.push_back(end.sent[i]);
    }
    return kept;
  }

  std::mt19937 random_;
  std::uint32_t permits_;
  std::vector<both_ends> ends_;
  partition_queues queues_;
};

}  // namespace

TEST_CASE("whatever the order of puts and credit, at most the permitted batches wait, nothing is lost and nobody is stuck") {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    random_edge{seed}.run();
  }
}
