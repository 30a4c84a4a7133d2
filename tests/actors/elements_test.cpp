#include "actors/exchange/hash_router.hpp"
#include "tests/actors/deterministic.hpp"
#include "tests/plain/interleavings.hpp"

#include <doctest/doctest.h>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;

namespace {

using trace_lines = tests::lines;

/// A task with two channels and its partition, between two probes: one feeds the channels, one reads what the partition delivers.
class task_between_probes : public stepping_system {
 public:
  explicit task_between_probes(std::chrono::microseconds buffer_timeout = 0us) {
    feeder_ = system.spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const return_credit& m) { credits.push_back(m.subpartition); },
              [this](const open_channel& m) { opened.push_back(m); }, [this](const subtask_finished&) { finished = true; }};
    });
    reader_ = system.spawn([this](caf::event_based_actor* self) -> caf::behavior {
      return {[=, this](deliver_element& m) {
        trace.push_back(text_of(m.e));
        if (m.e.is_batch()) self->send(caf::actor_cast<caf::actor>(self->current_sender()), return_credit{0, 1});
      }};
    });
    partition_ = system.spawn(make_partition, partition_setup{edge_id{0}, 0, 1, 2});
    caf::send_as(reader_, partition_, open_channel{0, 0, 1});
    task_setup setup;
    setup.build = [buffer_timeout] {
      task_parts parts;
      parts.links.push_back({"step", std::make_unique<pass_stage>()});
      parts.input_of_channel = {0, 0};
      parts.outputs.push_back({std::make_unique<forward_router>(router_context{}), 1, "next"});
      parts.flush_each_input = buffer_timeout == 0us;
      return parts;
    };
    setup.inputs = {{feeder_, 5}, {feeder_, 6}};
    setup.outputs = {partition_};
    setup.credit = 3;
    setup.buffer_timeout = buffer_timeout;
    setup.job = feeder_;
    task_ = system.spawn(make_task, std::move(setup));
    settle();
  }

  ~task_between_probes() {
    for (const auto& a : {feeder_, reader_, partition_, task_}) caf::anon_send_exit(a, caf::exit_reason::user_shutdown);
    settle();
  }

  trace_lines feed(std::uint32_t channel, const std::string& line) {
    caf::anon_send(task_, deliver_element{channel, element_of(line)});
    settle();
    return std::exchange(trace, {});
  }

  trace_lines trace;
  std::vector<std::uint32_t> credits;
  std::vector<open_channel> opened;
  bool finished = false;

 private:
  caf::actor feeder_, reader_, partition_, task_;
};

const std::vector<trace_lines> both_channels{
    {"header backlog", "rows 1", "watermark 3", "barrier 1", "backlog ends", "idle", "rows 2", "end"},
    {"header live", "watermark 5", "rows 10", "barrier 1", "rows 11", "active", "end"}};

/// What the gate makes of elements that arrive one at a time; `max_time` stays inside a task.
trace_lines expected_of(const merge_order& order) {
  input_gate gate{{0, 0}};
  std::vector<std::size_t> next(2);
  trace_lines all;
  for (auto channel : order) {
    gate.arrive(channel, element_of(both_channels[channel][next[channel]++]));
    while (auto event = gate.next())
      if (auto line = text_of(event->what); line != "watermark max") all.push_back(line);
  }
  return all;
}

}  // namespace

TEST_CASE("what has no effect yet goes through partition and task in its place, whatever the order of two channels") {
  std::mt19937 random{1};
  auto order = all_merges({{"a", "b"}, {"c"}}).front();
  order.clear();
  for (std::uint32_t c : {0u, 1u}) order.insert(order.end(), both_channels[c].size(), c);
  for (int run = 0; run < 400; ++run) {
    CAPTURE(run);
    std::shuffle(order.begin(), order.end(), random);
    task_between_probes t;
    std::vector<std::size_t> next(2);
    trace_lines all;
    for (auto channel : order)
      for (auto& line : t.feed(channel, both_channels[channel][next[channel]++])) all.push_back(line);
    REQUIRE(all == expected_of(order));
    REQUIRE(t.finished);
  }
}

TEST_CASE("one order of two channels, element by element") {
  task_between_probes t;
  CHECK(t.opened.size() == 2);
  CHECK((t.opened[1].subpartition == 6 && t.opened[1].channel == 1 && t.opened[1].credit == 3));
  CHECK(t.feed(0, "header backlog") == trace_lines{});
  CHECK(t.feed(0, "rows 1") == trace_lines{});
  CHECK(t.credits.empty());
  CHECK(t.feed(1, "header live") == trace_lines{"header backlog", "rows 1"});
  CHECK(t.credits == std::vector{5u});
  CHECK(t.feed(1, "watermark 5") == trace_lines{});
  CHECK(t.feed(0, "watermark 3") == trace_lines{"watermark 3"});
  CHECK(t.feed(0, "barrier 1") == trace_lines{});
  CHECK(t.feed(0, "rows 2") == trace_lines{});
  CHECK(t.feed(1, "rows 10") == trace_lines{"rows 10"});
  CHECK(t.feed(1, "barrier 1") == trace_lines{"barrier 1", "rows 2"});
  CHECK(t.credits == std::vector{5u, 6u, 5u});
  CHECK(t.feed(0, "backlog ends") == trace_lines{"backlog ends"});
  CHECK(t.feed(0, "idle") == trace_lines{"watermark 5"});
  CHECK(t.feed(1, "idle") == trace_lines{"idle"});
  CHECK(t.feed(1, "active") == trace_lines{"active"});
  CHECK(t.feed(1, "end") == trace_lines{"idle"});
  CHECK(t.feed(0, "end") == trace_lines{"end"});
  CHECK(t.finished);
}

TEST_CASE("a live row is sent at once, one of a backlog when its batch is full or the buffer timeout is over") {
  task_between_probes t{10ms};
  t.feed(0, "header backlog");
  CHECK(t.feed(1, "header live") == trace_lines{"header backlog"});
  t.advance(1s);
  CHECK(t.timeouts() == 0);
  CHECK(t.feed(0, "rows 1") == trace_lines{});
  t.advance(9ms);
  CHECK(t.feed(1, "rows 2") == trace_lines{});
  CHECK(t.credits.size() == 2);
  t.advance(999us);
  CHECK(t.trace == trace_lines{});
  t.advance(1us);
  CHECK(std::exchange(t.trace, {}) == trace_lines{"rows 1 2"});
  CHECK(t.feed(0, "rows 3") == trace_lines{});
  CHECK(t.feed(0, "backlog ends") == trace_lines{"rows 3", "backlog ends"});
  CHECK(t.feed(0, "rows 4") == trace_lines{"rows 4"});
  t.advance(1s);
  CHECK(t.timeouts() == 0);
}
