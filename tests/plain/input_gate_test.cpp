#include "actors/exchange/input_gate.hpp"
#include "tests/plain/interleavings.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace spillway;
using namespace spillway::tests;

namespace {

/// Elements, and "abort 1", go in as lines; what comes out is written down.
struct one_gate {
  explicit one_gate(std::size_t channels) : gate{std::vector<std::uint32_t>(channels, 0)} {}

  void give(std::uint32_t channel, const std::string& line) {
    if (line.starts_with("abort "))
      gate.abort(std::stoull(line.substr(6)));
    else
      gate.arrive(channel, element_of(line));
  }

  /// What comes out now.
  lines taken() {
    lines some;
    while (auto event = gate.next()) some.push_back(text_of(event->what));
    out.insert(out.end(), some.begin(), some.end());
    return some;
  }

  void all_live() {
    for (std::uint32_t c = 0; c < gate.channels(); ++c) give(c, "header live");
    taken();
  }

  input_gate gate;
  lines out;
};

/// The whole trace when `channels` arrive in `order`, taken out after each arrival or all at the end.
lines trace_of(const std::vector<lines>& channels, const merge_order& order, bool at_once, const lines& headers = {}) {
  one_gate g{channels.size()};
  for (std::uint32_t c = 0; c < headers.size(); ++c) g.give(c, headers[c]);
  std::vector<std::size_t> given(channels.size(), 0);
  for (auto c : order) {
    g.give(c, channels[c][given[c]++]);
    if (at_once) g.taken();
  }
  g.taken();
  CHECK_FALSE(g.gate.waiting());
  return g.out;
}

/// A sum that holds rows back during backlog, as an operator with a sorter does.
struct sum {
  row state = 0, held = 0, snapshot = -1;
  bool backlog = false;

  explicit sum(const lines& trace) {
    for (const auto& line : trace) {
      const auto e = element_of(line);
      if (e.is_batch())
        for (row r : rows_in<row>(*e.rows).rows()) (backlog ? held : state) += r;
      if (e.is<header>()) backlog = std::get<header>(e.mark).backlog;
      if (e.is<backlog_mark>()) backlog = std::get<backlog_mark>(e.mark).begins;
      if (!backlog) state += std::exchange(held, 0);
      if (e.is<barrier>()) snapshot = state + held;
    }
  }
};

using flags = std::multiset<lines>;

}  // namespace

TEST_CASE("nothing is taken before every channel has its header, and the combined one comes first and once") {
  one_gate g{3};
  g.give(1, "header backlog");
  g.give(1, "rows 1");
  g.give(1, "watermark 5");
  g.give(2, "header live");
  g.give(1, "end");
  CHECK(g.taken() == lines{});
  g.give(0, "header live");
  CHECK(g.taken() == lines{"header backlog", "rows 1", "backlog ends"});
  g.give(2, "end");
  g.give(0, "end");
  CHECK(g.taken() == lines{"watermark max", "end"});
}

TEST_CASE("rows say which channel and which input they came by") {
  input_gate gate{{0, 0, 1}};
  for (std::uint32_t c = 0; c < 3; ++c) gate.arrive(c, header{});
  gate.arrive(2, element_of("rows 1"));
  gate.arrive(1, element_of("rows 2"));
  CHECK(text_of(gate.next()->what) == "header live");
  const auto first = *gate.next(), second = *gate.next();
  CHECK((first.channel == 2 && first.input == 1));
  CHECK((second.channel == 1 && second.input == 0));
  CHECK_FALSE(gate.next());
}

TEST_CASE("consecutive watermarks that wait are merged, but never across rows or marks") {
  one_gate g{1};
  for (auto line : {"watermark 1", "watermark 2", "rows 1", "watermark 3", "idle", "watermark 4", "active", "watermark 5",
                    "barrier 1", "watermark 6", "watermark 7"})
    g.give(0, line);
  CHECK(g.gate.queued(0) == 9);
  g.give(0, "header live");
  CHECK(g.taken() == lines{"header live", "watermark 2", "rows 1", "watermark 3", "idle", "watermark 4", "active", "watermark 5",
                           "barrier 1", "watermark 7"});
}

TEST_CASE("a very short backlog on two channels begins and ends once in all 70 orders") {
  const std::vector<lines> channels{{"header backlog", "rows 1", "backlog ends", "rows 10"},
                                    {"header backlog", "rows 2", "backlog ends", "rows 100"}};
  flags seen;
  for (const auto& order : all_merges(channels))
    for (bool at_once : {true, false}) {
      const auto trace = trace_of(channels, order, at_once);
      CHECK(trace.front() == "header backlog");
      seen.insert(only(trace, {"header", "backlog"}));
      const sum s{trace};
      CHECK((s.state == 113 && s.held == 0));
    }
  CHECK(seen.size() == 140);
  CHECK(seen.count({"header backlog", "backlog ends"}) == 140);
}

TEST_CASE("backlogs that begin after live headers alternate with live in all 70 orders") {
  const std::vector<lines> channels{{"backlog begins", "rows 1", "backlog ends", "rows 10"},
                                    {"backlog begins", "rows 2", "backlog ends", "rows 100"}};
  for (bool at_once : {true, false}) {
    flags seen;
    for (const auto& order : all_merges(channels)) {
      const auto trace = trace_of(channels, order, at_once, {"header live", "header live"});
      seen.insert(only(trace, {"header", "backlog"}));
      const sum s{trace};
      CHECK((s.state == 113 && s.held == 0));
    }
    CHECK(seen.count({"header live", "backlog begins", "backlog ends"}) == 60);
    CHECK(seen.count({"header live", "backlog begins", "backlog ends", "backlog begins", "backlog ends"}) == 10);
  }
}

TEST_CASE("a barrier behind the switch takes the whole backlog and nothing after it, in all 252 orders") {
  const std::vector<lines> channels{{"header backlog", "rows 1", "backlog ends", "barrier 1", "rows 100"},
                                    {"header backlog", "rows 10", "backlog ends", "barrier 1", "rows 1000"}};
  const auto orders = all_merges(channels);
  CHECK(orders.size() == 252);
  for (const auto& order : orders)
    for (bool at_once : {true, false}) {
      const auto trace = trace_of(channels, order, at_once);
      const sum s{trace};
      CHECK((s.snapshot == 11 && s.state == 1111 && s.held == 0));
      CHECK(only(trace, {"header", "backlog", "barrier"}) == lines{"header backlog", "backlog ends", "barrier 1"});
    }
}

TEST_CASE("a channel that ends in the middle of an alignment completes it, in all 15 orders") {
  const std::vector<lines> channels{{"rows 1", "barrier 1", "rows 100", "end"}, {"rows 10", "end"}};
  const auto orders = all_merges(channels);
  CHECK(orders.size() == 15);
  for (const auto& order : orders)
    for (bool at_once : {true, false}) {
      const auto trace = trace_of(channels, order, at_once, {"header live", "header live"});
      const sum s{trace};
      CHECK((s.snapshot == 11 && s.state == 111));
      CHECK(lines(trace.end() - 2, trace.end()) == lines{"watermark max", "end"});
      CHECK(trace.size() == 7);
    }
}

TEST_CASE("an abort anywhere among the elements lets the next checkpoint complete, in all 252 orders") {
  const std::vector<lines> channels{{"rows 1", "barrier 1", "rows 2", "barrier 2", "rows 4"},
                                    {"rows 10", "abort 1", "rows 20", "barrier 2", "rows 40"}};
  const auto orders = all_merges(channels);
  CHECK(orders.size() == 252);
  for (const auto& order : orders)
    for (bool at_once : {true, false}) {
      const auto trace = trace_of(channels, order, at_once, {"header live", "header live"});
      const sum s{trace};
      CHECK((s.snapshot == 33 && s.state == 77));
      CHECK(only(trace, {"barrier"}) == lines{"barrier 2"});
    }
}

TEST_CASE("a channel whose barrier came waits, marks and all, until it came on every other") {
  one_gate g{3};
  g.all_live();
  for (auto line : {"barrier 1", "rows 1", "watermark 5", "backlog begins", "end"}) g.give(0, line);
  g.give(1, "rows 2");
  CHECK(g.taken() == lines{"rows 2"});
  CHECK((g.gate.aligning() && g.gate.queued(0) == 4));
  g.give(2, "barrier 1");
  g.give(2, "rows 3");
  CHECK(g.taken() == lines{});
  g.give(1, "barrier 1");
  CHECK(g.taken() == lines{"barrier 1", "rows 1", "backlog begins", "backlog ends", "rows 3"});
  CHECK_FALSE(g.gate.aligning());
}

TEST_CASE("watermarks behind a barrier are merged while they wait") {
  one_gate g{2};
  g.all_live();
  for (auto line : {"barrier 1", "watermark 1", "watermark 2"}) g.give(0, line);
  g.taken();
  g.give(0, "watermark 3");
  g.give(1, "watermark 9");
  g.give(1, "barrier 1");
  CHECK(g.gate.queued(0) == 1);
  CHECK(g.taken() == lines{"barrier 1", "watermark 3"});
}

TEST_CASE("a higher barrier gives up the lower one that has not come everywhere") {
  one_gate g{3};
  g.all_live();
  for (auto line : {"barrier 1", "rows 1", "barrier 2", "rows 2"}) g.give(0, line);
  g.give(1, "barrier 2");
  g.give(1, "rows 3");
  CHECK(g.taken() == lines{"rows 1"});
  g.give(2, "barrier 1");
  g.give(2, "rows 4");
  g.give(2, "barrier 2");
  CHECK(g.taken() == lines{"rows 4", "barrier 2", "rows 2", "rows 3"});
}

TEST_CASE("a lower barrier that comes late is swallowed and blocks nobody") {
  one_gate g{2};
  g.all_live();
  g.give(0, "barrier 3");
  g.give(1, "barrier 2");
  g.give(1, "rows 1");
  CHECK(g.taken() == lines{"rows 1"});
  g.give(1, "barrier 3");
  g.give(0, "barrier 3");
  g.give(0, "rows 2");
  CHECK(g.taken() == lines{"barrier 3", "rows 2"});
}

TEST_CASE("an abort ends its alignment and those before it, but none after it") {
  one_gate g{2};
  g.all_live();
  g.give(0, "barrier 5");
  g.give(0, "rows 1");
  g.give(0, "abort 4");
  CHECK(g.taken() == lines{});
  g.give(0, "abort 5");
  CHECK(g.gate.waiting());
  CHECK(g.taken() == lines{"rows 1"});
  g.give(0, "abort 2");
  g.give(1, "barrier 5");
  g.give(1, "rows 2");
  CHECK(g.taken() == lines{"rows 2"});
  g.give(1, "abort 7");
  for (auto c : {0u, 1u}) g.give(c, "barrier 6");
  for (auto c : {0u, 1u}) g.give(c, "barrier 7");
  for (auto c : {0u, 1u}) g.give(c, "barrier 8");
  CHECK(g.taken() == lines{"barrier 8"});
}

TEST_CASE("a barrier that only channels which ended lack comes out before their ends have their effect") {
  one_gate g{2};
  g.give(0, "header backlog");
  g.give(1, "header live");
  g.give(1, "barrier 1");
  g.give(1, "rows 1");
  CHECK(g.taken() == lines{"header backlog"});
  g.give(0, "end");
  CHECK(g.taken() == lines{"barrier 1", "backlog ends", "rows 1"});
  g.give(1, "barrier 2");
  g.give(1, "end");
  CHECK(g.taken() == lines{"barrier 2", "watermark max", "end"});
  CHECK(g.gate.ended());
}

TEST_CASE("an idle channel still takes part in alignment and still counts as what it said about backlog") {
  one_gate g{2};
  g.all_live();
  for (auto line : {"backlog begins", "watermark 3", "idle"}) g.give(0, line);
  g.give(1, "watermark 8");
  g.give(1, "barrier 1");
  g.give(1, "rows 1");
  CHECK(g.taken() == lines{"backlog begins", "watermark 8"});
  g.give(0, "barrier 1");
  g.give(1, "end");
  CHECK(g.taken() == lines{"barrier 1", "rows 1", "idle"});
  g.give(0, "end");
  CHECK(g.taken() == lines{"backlog ends", "watermark max", "end"});
}
