#include "actors/exchange/input_gate.hpp"
#include "tests/plain/interleavings.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace spillway;
using namespace spillway::tests;

namespace {

/// A gate as plainly as can be: one list of all that waits, everything combined is worked out anew each time.
class gate_model {
 public:
  explicit gate_model(std::size_t channels) : channels_(channels) {}

  void arrive(std::uint32_t c, const element& e) {
    if (e.is<header>()) {
      channels_[c].backlog = std::get<header>(e.mark).backlog;
      backlog_ = any_backlog();
      if (++headers_ == channels_.size()) say(header{backlog_});
      return;
    }
    for (auto w = list_.rbegin(); w != list_.rend(); ++w)
      if (w->channel == c) {
        if (!e.is<watermark>() || !w->what.is<watermark>()) break;
        w->what = e;
        return;
      }
    list_.push_back({c, e});
  }

  void abort(std::uint64_t n) {
    given_up_ = std::max(given_up_, n);
    if (current_ && current_ <= n) release();
  }

  std::string next() {
    if (headers_ < channels_.size()) return "";
    while (ready_.empty() && seen_ < list_.size()) {
      if (channels_[list_[seen_].channel].blocked) {
        ++seen_;
        continue;
      }
      const auto [c, e] = list_[seen_];
      list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(seen_));
      process(c, e);
    }
    if (ready_.empty()) return "";
    auto line = ready_.front();
    ready_.erase(ready_.begin());
    return line;
  }

 private:
  struct channel {
    bool backlog = false, idle = false, ended = false, blocked = false;
    timestamp at = min_time;
  };
  struct waiting {
    std::uint32_t channel;
    element what;
  };

  void say(const control& mark) { ready_.push_back(text_of(mark)); }

  bool any_backlog() const {
    return std::any_of(channels_.begin(), channels_.end(), [](auto& c) { return c.backlog && !c.ended; });
  }

  void process(std::uint32_t c, const element& e) {
    auto& from = channels_[c];
    if (e.is_batch()) return ready_.push_back(text_of(e));
    if (auto* b = std::get_if<barrier>(&e.mark)) {
      if (b->number <= given_up_ || b->number < current_) return;
      if (current_ != b->number) abort(current_);
      current_ = b->number;
      from.blocked = true;
    }
    if (auto* b = std::get_if<backlog_mark>(&e.mark)) from.backlog = b->begins;
    if (auto* w = std::get_if<watermark>(&e.mark); w && w->at != max_time) from.at = std::max(from.at, w->at);
    if (auto* a = std::get_if<activity>(&e.mark)) from.idle = a->idle;
    if (e.is<end_mark>()) from.ended = true;
    if (current_ && std::all_of(channels_.begin(), channels_.end(), [](auto& ch) { return ch.blocked || ch.ended; })) {
      say(barrier{current_});
      abort(current_);
    }
    if (any_backlog() != std::exchange(backlog_, any_backlog())) say(backlog_mark{backlog_});
    combine_time();
  }

  void combine_time() {
    std::set<timestamp> active, resting;
    for (const auto& c : channels_)
      if (!c.ended) (c.idle ? resting : active).insert(c.at);
    if (!active.empty() && std::exchange(idle_, false)) say(activity{false});
    const auto now = !active.empty() ? *active.begin() : !resting.empty() ? *resting.rbegin() : max_time;
    if (now > std::exchange(time_, std::max(now, time_))) say(watermark{time_});
    if (active.empty() && !resting.empty() && !std::exchange(idle_, true)) say(activity{true});
    if (active.empty() && resting.empty()) say(end_mark{});
  }

  void release() {
    current_ = 0;
    for (auto& c : channels_) c.blocked = false;
    std::stable_sort(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(seen_),
                     [](auto& a, auto& b) { return a.channel < b.channel; });
    seen_ = 0;
  }

  std::vector<channel> channels_;
  std::vector<waiting> list_;
  lines ready_;
  /// How many in `list_` were passed over because their channel was blocked.
  std::size_t seen_ = 0;
  std::size_t headers_ = 0;
  std::uint64_t current_ = 0, given_up_ = 0;
  timestamp time_ = min_time;
  bool backlog_ = false, idle_ = false;
};

using generator = std::mt19937;

/// A channel that keeps the laws: a header first, times and barriers ascend, an end last. Every row is different.
lines random_channel(std::uint32_t c, std::uint64_t barriers, generator& random) {
  lines all{random() % 2 ? "header live" : "header backlog"};
  std::uint64_t barrier = 0;
  row next = c * 1000;
  int time = -10;
  for (auto n = random() % 30; n > 0; --n) switch (random() % 8) {
      case 0:
        all.push_back("watermark " + std::to_string(time += 1 + static_cast<int>(random() % 5)));
        break;
      case 1:
        all.push_back(random() % 2 ? "backlog begins" : "backlog ends");
        break;
      case 2:
        all.push_back(random() % 3 ? "active" : "idle");
        break;
      case 3:
      case 4:
        barrier += random() % 6 ? 1 : 2;
        if (barrier <= barriers) all.push_back("barrier " + std::to_string(barrier));
        break;
      default:
        all.push_back("rows " + std::to_string(next) + " " + std::to_string(next + 1)), next += 2;
    }
  if (random() % 3 == 0) all.push_back("watermark max");
  all.push_back("end");
  return all;
}

/// The rows of `channel` in `trace` before the line `last`, or all.
lines rows_of(std::uint32_t channel, const lines& trace, const std::string& last = {}) {
  lines rows;
  for (const auto& line : trace) {
    if (line == last) break;
    if (line.starts_with("rows ") && std::stoul(line.substr(5)) / 1000 == channel) rows.push_back(line);
  }
  return rows;
}

bool has(const lines& trace, const std::string& line) { return std::find(trace.begin(), trace.end(), line) != trace.end(); }

/// What holds for every trace, whatever the order in which a gate takes from its channels.
void check_laws(const std::vector<lines>& channels, const lines& trace, std::uint64_t barriers, std::uint64_t aborted) {
  REQUIRE(only(trace, {"header"}).size() == 1);
  REQUIRE(trace.front().starts_with("header"));
  REQUIRE(lines(trace.end() - 2, trace.end()) == lines{"watermark max", "end"});
  REQUIRE(only(trace, {"end", "watermark max"}).size() == 2);
  for (std::uint32_t c = 0; c < channels.size(); ++c) REQUIRE(rows_of(c, trace) == rows_of(c, channels[c]));
  timestamp before = min_time;
  std::uint64_t barrier_before = 0;
  bool backlog = trace.front() == "header backlog";
  for (const auto& line : trace) {
    const auto e = element_of(line);
    if (e.is<watermark>()) REQUIRE(std::exchange(before, std::get<watermark>(e.mark).at) < before);
    if (e.is<barrier>()) REQUIRE(std::exchange(barrier_before, std::get<barrier>(e.mark).number) < barrier_before);
    if (e.is<backlog_mark>()) REQUIRE(std::exchange(backlog, !backlog) != std::get<backlog_mark>(e.mark).begins);
  }
  REQUIRE_FALSE(backlog);
  for (std::uint64_t n = 1; n <= barriers; ++n) {
    const auto line = "barrier " + std::to_string(n);
    const bool everywhere = std::all_of(channels.begin(), channels.end(), [&](auto& c) { return has(c, line); });
    if (everywhere && n > aborted) REQUIRE(has(trace, line));
    if (!has(trace, line)) continue;
    for (std::uint32_t c = 0; c < channels.size(); ++c)
      REQUIRE(rows_of(c, trace, line) == rows_of(c, channels[c], has(channels[c], line) ? line : ""));
  }
}

}  // namespace

TEST_CASE("random channels in random order keep the laws, and a plain model agrees line by line") {
  generator random{3};
  for (int run = 0; run < 6000; ++run) {
    CAPTURE(run);
    const std::uint32_t count = 1 + random() % 5;
    const std::uint64_t barriers = random() % 6;
    std::vector<lines> channels;
    for (std::uint32_t c = 0; c < count; ++c) channels.push_back(random_channel(c, barriers, random));
    input_gate gate{std::vector<std::uint32_t>(count, 0)};
    gate_model model{count};
    std::vector<std::size_t> given(count, 0);
    std::vector<std::int64_t> credit(count, 0);
    lines trace, expected;
    const auto take = [&] {
      auto event = gate.next();
      if (event) trace.push_back(text_of(event->what));
      if (event && event->what.is_batch()) --credit[event->channel];
      if (auto line = model.next(); !line.empty()) expected.push_back(line);
      REQUIRE(trace == expected);
      return event.has_value();
    };
    const auto patience = random() % 4;
    std::uint64_t aborted = 0;
    for (bool more = true; more;) {
      const auto c = random() % count;
      if (given[c] < channels[c].size()) {
        const auto e = element_of(channels[c][given[c]++]);
        credit[c] += e.is_batch();
        gate.arrive(c, e);
        model.arrive(c, e);
      }
      if (const auto n = random() % 60; n > 0 && n <= barriers) {
        aborted = std::max(aborted, n);
        gate.abort(n);
        model.abort(n);
      }
      if (random() % (patience + 1) == 0)
        for (auto n = random() % 6; n > 0; --n) take();
      more = false;
      for (std::uint32_t i = 0; i < count; ++i) more = more || given[i] < channels[i].size();
    }
    while (take()) continue;
    CHECK((gate.ended() && !gate.waiting() && !gate.aligning() && !gate.backlog()));
    CHECK(credit == std::vector<std::int64_t>(count, 0));
    check_laws(channels, trace, barriers, aborted);
  }
}
