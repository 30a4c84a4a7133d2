#include "actors/task/task_core.hpp"
#include "actors/exchange/hash_router.hpp"
#include "tests/plain/interleavings.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace spillway;
using namespace spillway::tests;

namespace {

using state = task_core::state;

/// Writes down what a task does, such as "0.1 rows 5" for a batch into subpartition 1 of edge 0, and "credit 2".
struct one_world : task_port {
  void send(std::uint32_t edge, std::uint32_t sub, element e) override {
    trace.push_back(std::to_string(edge) + "." + std::to_string(sub) + " " + text_of(e));
  }
  void credit(std::uint32_t channel) override { trace.push_back("credit " + std::to_string(channel)); }
  lines done() { return std::exchange(trace, {}); }
  lines trace;
};

/// Each row three times, row by row.
struct thrice : stage {
  progress on_rows(rows_cursor& in, outlet& out) override {
    for (auto rows = rows_in<row>(*in.rows).rows(); in.at < rows.size(); ++in.at) {
      if (out.full()) return progress::more;
      auto b = make_batch<row>(nullptr);
      for (int i = 0; i < 3; ++i) b->push(rows[in.at]);
      out.push(std::move(b));
    }
    return progress::done;
  }
  std::uint64_t keys() const override { return 5; }
};

/// Sends every batch at once, to the consumers in turn.
struct straight : router {
  void route(batch_ptr rows, edge_writer& to) override { to.put(next++ % to.subpartitions(), std::move(rows)); }
  void flush(edge_writer&) override {}
  bool holds_rows() const noexcept override { return false; }
  std::uint32_t next = 0;
};

struct scripted_source : source_head {
  explicit scripted_source(std::deque<std::function<read_result(batch_ptr&)>> reads) : reads(std::move(reads)) {}
  read_result read(batch_ptr& rows) override {
    auto next = reads.front();
    reads.pop_front();
    return next(rows);
  }
  read_progress progress() const override { return {reads.size(), 9}; }
  std::deque<std::function<read_result(batch_ptr&)>> reads;
};

/// The one split of such a source.
struct scripted_body : source_body {
  explicit scripted_body(std::deque<std::function<read_result(batch_ptr&)>> reads) : reads(std::move(reads)) {}
  std::unique_ptr<split_list> splits(const source_context&) const override { return nullptr; }
  std::unique_ptr<source_head> open(const split&, const source_context&) const override {
    return std::make_unique<scripted_source>(reads);
  }
  std::deque<std::function<read_result(batch_ptr&)>> reads;
};

std::unique_ptr<source_driver> driver_of(std::deque<std::function<read_result(batch_ptr&)>> reads) {
  auto d = std::make_unique<source_driver>(std::make_shared<scripted_body>(std::move(reads)), source_context{"first"});
  d->assign({"the only one"}, std::nullopt);
  d->no_more();
  return d;
}

task_parts::output out_to(std::unique_ptr<router> r, std::uint32_t subpartitions) {
  return {std::move(r), subpartitions, "next"};
}

task_parts parts_of(std::unique_ptr<stage> op, std::vector<std::uint32_t> input_of_channel) {
  task_parts parts;
  parts.links.push_back({"first", std::make_unique<pass_stage>()});
  parts.links.push_back({"second", std::move(op)});
  parts.input_of_channel = std::move(input_of_channel);
  return parts;
}

/// Two channels in, two subpartitions of one edge out, with many permits each.
struct one_task : one_world {
  explicit one_task(std::unique_ptr<stage> op = std::make_unique<pass_stage>(),
                    std::unique_ptr<router> r = std::make_unique<straight>(), std::uint32_t permits = 100)
      : core{parts(std::move(op), std::move(r)), *this} {
    for (std::uint32_t sub : {0u, 1u}) core.permit(0, sub, permits);
  }
  static task_parts parts(std::unique_ptr<stage> op, std::unique_ptr<router> r) {
    auto parts = parts_of(std::move(op), {0, 0});
    parts.outputs.push_back(out_to(std::move(r), 2));
    return parts;
  }
  void arrive(std::uint32_t channel, const std::string& line) { core.arrive(channel, element_of(line)); }
  void begin() {
    for (std::uint32_t channel : {0u, 1u}) arrive(channel, "header live");
    core.work(100);
    done();
  }
  task_core core;
};

}  // namespace

TEST_CASE_FIXTURE(one_task, "a task starts when every channel has its header") {
  arrive(0, "header backlog");
  arrive(0, "rows 1");
  CHECK(core.work(100) == state::waiting);
  CHECK(done() == lines{});
  arrive(1, "header live");
  CHECK(core.work(100) == state::waiting);
  CHECK(done() == lines{"0.0 header backlog", "0.1 header backlog", "0.0 rows 1", "credit 0"});
  CHECK(core.backlog());
}

TEST_CASE_FIXTURE(one_task, "what has no effect yet is carried in its place, and the end goes last") {
  begin();
  for (const char* line : {"rows 1", "watermark 5", "backlog begins", "barrier 1", "idle", "end"}) arrive(0, line);
  for (const char* line : {"rows 2", "watermark 7", "rows 3", "barrier 1", "rows 4", "active", "end"}) arrive(1, line);
  CHECK(core.work(1000) == state::finished);
  lines first;
  for (const auto& line : done())
    if (line.starts_with("0.0") || line.starts_with("credit")) first.push_back(line);
  CHECK(first == lines{"0.0 rows 1", "credit 0", "0.0 backlog begins", "credit 1", "0.0 watermark 5", "0.0 rows 3", "credit 1",
                       "0.0 barrier 1", "0.0 watermark 7", "0.0 backlog ends", "credit 1", "0.0 end"});
}

TEST_CASE("a batch is credited when all that came of it was sent, not before") {
  one_task t{std::make_unique<thrice>(), std::make_unique<straight>(), 1};
  t.begin();
  t.arrive(1, "rows 1 2 3 4");
  CHECK(t.core.work(100) == state::blocked);
  CHECK(t.done() == lines{"0.0 rows 1 1 1", "0.1 rows 2 2 2"});
  t.core.permit(0, 0, 1);
  CHECK(t.done() == lines{"0.0 rows 3 3 3"});
  CHECK(t.core.work(100) == state::blocked);
  CHECK(t.done() == lines{});
  t.core.permit(0, 1, 1);
  CHECK(t.core.work(100) == state::waiting);
  CHECK(t.done() == lines{"0.1 rows 4 4 4", "credit 1"});
}

TEST_CASE("a task without permits takes no further input") {
  one_task t{std::make_unique<pass_stage>(), std::make_unique<straight>(), 0};
  t.begin();
  t.arrive(0, "rows 1");
  t.arrive(0, "barrier 1");
  t.arrive(1, "barrier 1");
  CHECK(t.core.work(100) == state::blocked);
  CHECK(t.done() == lines{});
  t.core.permit(0, 0, 1);
  CHECK(t.core.work(100) == state::waiting);
  CHECK(t.done() == lines{"0.0 rows 1", "credit 0", "0.0 barrier 1", "0.1 barrier 1"});
}

TEST_CASE("work stops after as many calls as it was told") {
  one_task t{std::make_unique<thrice>()};
  t.begin();
  t.arrive(0, "rows 1 2 3 4 5 6");
  CHECK(t.core.work(3) == state::more);
  CHECK(t.done().size() < 6);
  CHECK(t.core.work(100) == state::waiting);
}

TEST_CASE("rows that wait for their batch to fill go before a mark, or when they are told to") {
  one_task t{std::make_unique<pass_stage>(), std::make_unique<broadcast_router>()};
  t.begin();
  t.arrive(0, "rows 1");
  t.arrive(1, "rows 2");
  CHECK(t.core.work(100) == state::waiting);
  CHECK(t.done() == lines{"credit 0", "credit 1"});
  CHECK(t.core.holds_rows());
  t.core.flush();
  CHECK(t.done() == lines{"0.0 rows 1 2", "0.1 rows 1 2"});
  t.arrive(0, "rows 3");
  t.arrive(0, "watermark 5");
  t.arrive(1, "watermark 6");
  t.core.work(100);
  CHECK(t.done() == lines{"credit 0", "0.0 rows 3", "0.1 rows 3", "0.0 watermark 5", "0.1 watermark 5"});
}

TEST_CASE("every output edge gets all rows and marks") {
  one_world w;
  auto parts = parts_of(std::make_unique<pass_stage>(), {0});
  parts.outputs.push_back(out_to(std::make_unique<straight>(), 1));
  parts.outputs.push_back(out_to(std::make_unique<straight>(), 2));
  task_core core{std::move(parts), w};
  core.permit(0, 0, 9), core.permit(1, 0, 9), core.permit(1, 1, 9);
  for (const char* line : {"header live", "rows 1", "barrier 3", "rows 2"}) core.arrive(0, element_of(line));
  core.work(100);
  CHECK(w.done() == lines{"0.0 header live", "1.0 header live", "1.1 header live", "0.0 rows 1", "1.0 rows 1", "credit 0",
                          "0.0 barrier 3", "1.0 barrier 3", "1.1 barrier 3", "0.0 rows 2", "1.1 rows 2", "credit 0"});
}

namespace {

task_parts reading(std::deque<std::function<read_result(batch_ptr&)>> reads,
                   std::unique_ptr<router> r = std::make_unique<straight>()) {
  auto parts = parts_of(std::make_unique<pass_stage>(), {});
  parts.source = driver_of(std::move(reads));
  parts.outputs.push_back(out_to(std::move(r), 1));
  return parts;
}

auto gives(const std::string& rows, read_result result) {
  return [=](batch_ptr& to) {
    to = element_of(rows).rows;
    return result;
  };
}

}  // namespace

TEST_CASE("a source's header goes before its first read, its time to wait is told, and its last rows go before the end") {
  using namespace std::chrono_literals;
  one_world w;
  task_core core{reading({[&](batch_ptr&) {
                            CHECK(w.done() == lines{"0.0 header live"});
                            return read_result::wait(7us);
                          },
                          gives("rows 1", read_result::wait(1us)), gives("rows", read_result::more()),
                          gives("rows", read_result::wait(3us)), gives("rows 2 3", read_result::end())}),
                 w};
  core.permit(0, 0, 9);
  CHECK(core.work(100) == state::waiting);
  CHECK(core.wait_for() == 7us);
  CHECK(core.work(100) == state::waiting);
  CHECK(core.wait_for() == 3us);
  CHECK(core.work(100) == state::finished);
  CHECK(w.done() == lines{"0.0 rows 1", "0.0 rows 2 3", "0.0 end"});
}

TEST_CASE("a source that throws names its step, a key function the step whose rows it was given") {
  one_world w;
  const auto failed = [&](task_parts parts) {
    task_core core{std::move(parts), w};
    try {
      core.work(100);
    } catch (const step_failed& e) {
      return e.step + " [" + e.row + "] " + e.what();
    }
    return std::string{};
  };
  CHECK(failed(reading({[](batch_ptr&) -> read_result { throw std::runtime_error("disk"); }})) == "first [] disk");
  CHECK(failed(reading({[](batch_ptr&) -> read_result { throw 1; }})) ==
        "first [] it threw something that is not a std::exception");
  const auto key = [](const row& r) { return r == 2 ? throw std::runtime_error("no key") : r; };
  auto parts = reading({gives("rows 1 2", read_result::end())});
  parts.outputs[0] = out_to(std::make_unique<hash_router<row, decltype(key)>>(key, router_context{0, 2, 128}), 2);
  parts.outputs[0].consumer = "third";
  CHECK(failed(std::move(parts)) == "third [2] key function: no key");
}

TEST_CASE("a task shows what it has done and what waits") {
  one_task t{std::make_unique<thrice>(), std::make_unique<straight>(), 0};
  t.begin();
  t.arrive(0, "watermark 4");
  t.arrive(1, "watermark 9");
  t.arrive(0, "rows 1 2");
  t.arrive(1, "rows 3");
  t.core.permit(0, 1, 7);
  t.core.work(100);
  task_view v;
  t.core.describe(v);
  REQUIRE(v.steps.size() == 2);
  CHECK((v.steps[0].step == "first" && v.steps[0].rows_in == 2 && v.steps[0].rows_out == 2 && v.steps[0].keys == 0));
  CHECK((v.steps[1].step == "second" && v.steps[1].rows_in == 2 && v.steps[1].rows_out == 3 && v.steps[1].keys == 5));
  REQUIRE(v.outputs.size() == 2);
  CHECK((v.outputs[0].permits == 0 && v.outputs[0].queued == 1 && v.outputs[1].permits == 7 && v.outputs[1].queued == 0));
  CHECK(v.queued == std::vector<std::size_t>{0, 1});
  CHECK(v.watermark == at(4));
  CHECK((v.blocked && !v.finished && !v.backlog && !v.aligning));
}
