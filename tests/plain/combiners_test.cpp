#include "actors/exchange/combiners.hpp"
#include "tests/plain/interleavings.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace spillway;
using namespace spillway::tests;

namespace {

/// Lines such as "0 watermark 5", "1 idle", "2 end" go in, what is forwarded comes out.
struct watermarks {
  explicit watermarks(std::size_t channels) : combiner{channels} {}

  watermarks& operator()(const std::string& line) {
    const std::size_t channel = std::stoul(line);
    const auto e = element_of(line.substr(2));
    auto signals = e.is<watermark>()  ? combiner.advance(channel, std::get<watermark>(e.mark).at)
                   : e.is<activity>() ? combiner.set_idle(channel, std::get<activity>(e.mark).idle)
                                      : combiner.end(channel);
    for (const auto& s : signals) out.push_back(text_of(s));
    return *this;
  }

  watermark_combiner combiner;
  lines out;
};

lines combined(std::size_t channels, const lines& input) {
  watermarks w{channels};
  for (const auto& line : input) w(line);
  return w.out;
}

}  // namespace

TEST_CASE("any channel in backlog means backlog, live only when every one has said so, nothing is forwarded twice") {
  backlog_combiner flag{3};
  CHECK_FALSE(flag.value());
  CHECK(flag.set(1, true) == true);
  CHECK(flag.set(1, true) == std::nullopt);
  CHECK(flag.set(2, true) == std::nullopt);
  CHECK(flag.set(1, false) == std::nullopt);
  CHECK(flag.value());
  CHECK(flag.set(2, false) == false);
  CHECK(flag.set(2, false) == std::nullopt);
}

TEST_CASE("a channel that ends counts as live") {
  backlog_combiner flag{2};
  flag.set(0, true);
  flag.set(1, true);
  CHECK(flag.end(0) == std::nullopt);
  CHECK(flag.end(1) == false);
}

TEST_CASE("the combined backlog flag is the OR of all, and its changes alternate") {
  std::mt19937 random{1};
  for (int run = 0; run < 500; ++run) {
    const std::size_t channels = 1 + random() % 5;
    backlog_combiner flag{channels};
    std::vector<bool> said(channels, false);
    bool forwarded = false;
    for (int step = 0; step < 50; ++step) {
      const std::size_t channel = random() % channels;
      said[channel] = random() % 2;
      const auto change = flag.set(channel, said[channel]);
      const bool expected = std::find(said.begin(), said.end(), true) != said.end();
      REQUIRE(flag.value() == expected);
      REQUIRE(change == (expected == forwarded ? std::nullopt : std::optional{expected}));
      forwarded = expected;
    }
  }
}

TEST_CASE("the combined watermark is the least of the active channels") {
  CHECK(combined(2, {"0 watermark 5"}) == lines{});
  CHECK(combined(2, {"0 watermark 5", "1 watermark 3", "1 watermark 4", "1 watermark 9"}) ==
        lines{"watermark 3", "watermark 4", "watermark 5"});
  CHECK(combined(1, {"0 watermark 5", "0 watermark 5", "0 watermark 4", "0 watermark 6"}) == lines{"watermark 5", "watermark 6"});
  CHECK(combined(2, {"0 watermark 9", "0 watermark 5", "1 watermark 7"}) == lines{"watermark 7"});
  CHECK(combined(1, {"0 watermark -9223372036854775807", "0 watermark -3"}) ==
        lines{"watermark -9223372036854775807", "watermark -3"});
}

TEST_CASE("two channels go idle one after the other and one comes back") {
  CHECK(combined(2, {"0 watermark 5", "1 watermark 8", "0 idle", "1 idle", "0 active", "0 watermark 9"}) ==
        lines{"watermark 5", "watermark 8", "idle", "active", "watermark 9"});
}

TEST_CASE("the order in which channels go idle makes no difference") {
  const lines expected{"watermark 4", "watermark 5", "idle"};
  CHECK(combined(2, {"0 watermark 5", "1 watermark 4", "0 idle", "1 idle"}) == expected);
  CHECK(combined(2, {"0 watermark 5", "1 watermark 4", "1 idle", "0 idle"}) == expected);
}

TEST_CASE("a channel that comes back behind the others does not turn time back") {
  CHECK(combined(3, {"0 watermark 10", "1 watermark 30", "2 watermark 10", "0 idle", "2 watermark 20", "0 active",
                     "0 watermark 15", "1 idle", "2 idle", "0 idle"}) ==
        lines{"watermark 10", "watermark 20", "watermark 30", "idle"});
}

TEST_CASE("when the last active channel ends while others are idle, their greatest watermark comes before the idle mark") {
  CHECK(combined(3, {"0 watermark 7", "1 watermark 9", "2 watermark 1", "0 idle", "1 idle", "2 end"}) ==
        lines{"watermark 1", "watermark 9", "idle"});
  CHECK(combined(2, {"0 idle", "1 idle", "0 end", "1 active", "1 watermark 2", "1 end"}) ==
        lines{"idle", "active", "watermark 2", "watermark max"});
  CHECK(combined(2, {"0 idle", "1 end", "0 end"}) == lines{"idle", "watermark max"});
}

TEST_CASE("a channel that ended holds nobody back") {
  CHECK(combined(2, {"0 watermark 1", "1 watermark 5", "0 end", "1 watermark 6", "1 end"}) ==
        lines{"watermark 1", "watermark 5", "watermark 6", "watermark max"});
}

TEST_CASE("the greatest watermark of all waits until every channel has ended") {
  CHECK(combined(2, {"0 watermark 5", "0 idle", "1 watermark max", "1 end"}) == lines{"watermark 5", "idle"});
  CHECK(combined(2, {"0 watermark max", "1 watermark max", "0 end"}) == lines{});
  CHECK(combined(2, {"0 watermark 3", "1 watermark 4", "1 idle", "0 watermark max", "0 idle"}) ==
        lines{"watermark 3", "watermark 4", "idle"});
  CHECK(combined(1, {"0 watermark 3", "0 watermark max", "0 end"}) == lines{"watermark 3", "watermark max"});
}

namespace {

/// The law, worked out anew from all that was ever said.
struct watermark_law {
  explicit watermark_law(std::size_t channels) : at_(channels, min_time), idle_(channels, false), ended_(channels, false) {}

  lines after(std::size_t channel, const control& mark) {
    if (auto* w = std::get_if<watermark>(&mark)) at_[channel] = std::max(at_[channel], w->at);
    if (auto* a = std::get_if<activity>(&mark)) idle_[channel] = a->idle;
    if (std::holds_alternative<end_mark>(mark)) ended_[channel] = true;
    std::vector<timestamp> active, resting;
    for (std::size_t c = 0; c < at_.size(); ++c)
      if (!ended_[c]) (idle_[c] ? resting : active).push_back(at_[c]);
    std::sort(active.begin(), active.end());
    std::sort(resting.begin(), resting.end());
    lines out;
    const bool none_active = active.empty() && !resting.empty();
    if (said_idle_ && !active.empty()) out.push_back("active");
    const auto now = !active.empty() ? active.front() : !resting.empty() ? resting.back() : max_time;
    if (now > said_) out.push_back(text_of(control{watermark{said_ = now}}));
    if (!said_idle_ && none_active) out.push_back("idle");
    said_idle_ = said_idle_ ? active.empty() : none_active;
    return out;
  }

 private:
  std::vector<timestamp> at_;
  std::vector<bool> idle_, ended_;
  timestamp said_ = min_time;
  bool said_idle_ = false;
};

}  // namespace

TEST_CASE("random watermarks, pauses and ends follow the law") {
  std::mt19937 random{2};
  for (int run = 0; run < 5000; ++run) {
    const std::size_t channels = 1 + random() % 5;
    watermark_combiner combiner{channels};
    watermark_law law{channels};
    std::vector<bool> ended(channels, false);
    std::vector<int> time(channels, -20);
    for (std::size_t left = channels; left > 0;) {
      const std::size_t c = random() % channels;
      if (ended[c]) continue;
      control mark = watermark{at(time[c] += random() % 8)};
      if (const auto dice = random() % 20; dice == 0)
        mark = end_mark{};
      else if (dice < 8)
        mark = activity{dice < 5};
      watermark_combiner::signals signals;
      if (auto* w = std::get_if<watermark>(&mark)) signals = combiner.advance(c, w->at);
      if (auto* a = std::get_if<activity>(&mark)) signals = combiner.set_idle(c, a->idle);
      if (std::holds_alternative<end_mark>(mark)) {
        ended[c] = true;
        --left;
        signals = combiner.end(c);
      }
      lines out;
      for (const auto& s : signals) out.push_back(text_of(s));
      REQUIRE(out == law.after(c, mark));
      REQUIRE((combiner.value() == max_time) == (left == 0));
    }
  }
}
