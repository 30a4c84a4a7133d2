#include "actors/task/source_driver.hpp"
#include "actors/task/split_enumerator.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace spillway;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<split_list> list_of(std::uint64_t n) {
  std::vector<split> all;
  for (std::uint64_t i = 0; i < n; ++i) all.push_back({std::to_string(i), saved::of(i), 10 + i});
  return std::make_unique<known_splits>(std::move(all));
}

/// Gives `per_read` rows a read, ten times its split's number and on; may wait before each.
struct counting_head final : source_head {
  counting_head(std::uint64_t split, std::uint64_t rows, std::chrono::microseconds wait)
      : next(split * 10), left(rows), wait(wait) {}
  read_result read(batch_ptr& rows) override {
    if (wait.count() > 0 && !std::exchange(waited, true)) return read_result::wait(wait);
    waited = false;
    if (left == 0) return read_result::end();
    auto b = make_batch<std::uint64_t>(nullptr);
    b->push(next++);
    rows = std::move(b);
    return --left > 0 ? read_result::more() : read_result::end();
  }
  read_progress progress() const override { return {next % 10, std::nullopt}; }
  source_position position() const override { return saved::of(next); }
  bool backlog() const override { return left > 1; }
  std::uint64_t next, left;
  std::chrono::microseconds wait;
  bool waited = false;
};

struct counting_body : source_body {
  std::unique_ptr<split_list> splits(const source_context&) const override { return list_of(3); }
  std::unique_ptr<source_head> open(const split& s, const source_context&) const override {
    return std::make_unique<counting_head>(s.data.as<std::uint64_t>(), rows, wait);
  }
  std::uint64_t rows = 2;
  std::chrono::microseconds wait{0};
};

split number(std::uint64_t n) { return {std::to_string(n), saved::of(n), std::nullopt}; }

/// Rows of one read, or what else it did.
std::string read(source_driver& d) {
  batch_ptr rows, refused;
  const auto r = d.read(rows, refused);
  std::string text;
  if (rows)
    for (auto x : rows_in<std::uint64_t>(std::as_const(*rows)).rows()) text += std::to_string(x) + ' ';
  if (r.state == read_result::kind::more) return text + "more";
  if (r.state == read_result::kind::end) return text + "end";
  return text + (r.wait_for == until_told ? "until told" : "wait " + std::to_string(r.wait_for.count()));
}

}  // namespace

TEST_CASE("splits go to whoever asks next, and each subtask is told once that there are no more") {
  split_enumerator e{list_of(3), false, 2};
  CHECK(e.total() == 33);
  CHECK(e.next(1)->name == "0");
  CHECK(e.next(1)->name == "1");
  CHECK(e.next(0)->name == "2");
  CHECK_FALSE(e.next(1));
  CHECK_FALSE(e.finished());
  CHECK_FALSE(e.next(0));
  CHECK(e.finished());
  CHECK(e.handed_out() == 3);
}

TEST_CASE("fixed splits belong to the subtask of their number, in whatever order subtasks ask") {
  std::mt19937 random{3};
  for (int round = 0; round < 50; ++round) {
    const std::uint32_t p = 1 + random() % 4;
    const std::uint64_t n = random() % 9;
    split_enumerator e{list_of(n), true, p};
    std::map<std::uint64_t, std::uint32_t> got;
    std::vector<std::uint32_t> open(p);
    for (std::uint32_t s = 0; s < p; ++s) open[s] = s;
    while (!open.empty()) {
      const auto i = random() % open.size();
      if (const auto s = e.next(open[i]))
        got[s->data.as<std::uint64_t>()] = open[i];
      else
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    }
    CHECK(e.finished());
    REQUIRE(got.size() == n);
    for (const auto& [split, subtask] : got) CHECK(subtask == split % p);
  }
}

TEST_CASE("a bounded source reads one split after another, asks for the next when it has none, and ends after the last") {
  auto body = std::make_shared<counting_body>();
  source_driver d{body, {"in"}};
  CHECK(d.wants_split());
  CHECK(read(d) == "until told");
  d.asked();
  CHECK_FALSE(d.wants_split());
  d.assign(number(4), std::nullopt);
  CHECK_FALSE(d.wants_split());
  CHECK(read(d) == "40 more");
  CHECK(d.positions().front().split == "4");
  CHECK(d.positions().front().at.as<std::uint64_t>() == 41);
  CHECK(d.progress().done == 1);
  CHECK(read(d) == "41 more");
  CHECK(d.positions().empty());
  CHECK(d.wants_split());
  CHECK(read(d) == "until told");
  d.assign(number(5), std::nullopt);
  CHECK(read(d) == "50 more");
  CHECK(d.progress().done == 3);
  d.no_more();
  CHECK(read(d) == "51 end");
  CHECK(read(d) == "end");
  CHECK_FALSE(d.wants_split());
}

TEST_CASE("a source that never ends reads all of its splits in turn, and waits as long as the most impatient of them") {
  auto body = std::make_shared<counting_body>();
  body->unbounded = true;
  body->wait = 5us;
  source_driver d{body, {"in"}};
  d.assign(number(1), std::nullopt);
  CHECK(d.wants_split());
  body->wait = 3us;
  d.assign(number(2), std::nullopt);
  CHECK(d.wants_split());
  d.no_more();
  CHECK_FALSE(d.wants_split());
  CHECK(read(d) == "wait 3");
  CHECK(read(d) == "10 more");
  CHECK(read(d) == "20 more");
  CHECK(read(d) == "wait 3");
  CHECK(read(d) == "11 more");
  CHECK(read(d) == "21 end");
}

TEST_CASE("a source is in backlog until its splits have caught up, or for as long as it is the history of another") {
  auto body = std::make_shared<counting_body>();
  body->tells_backlog = true;
  source_driver d{body, {"in"}};
  CHECK(d.backlog());
  d.assign(number(1), std::nullopt);
  CHECK(d.backlog());
  CHECK(read(d) == "10 more");
  CHECK_FALSE(d.backlog());
  source_driver without{body, {"in"}};
  without.no_more();
  CHECK_FALSE(without.backlog());
  body->tells_backlog = false;
  CHECK(source_driver{body, {"in"}, {}, true}.backlog());
  CHECK_FALSE(source_driver{body, {"in"}}.backlog());
}

TEST_CASE("a saved value comes back as what it was, and as nothing else") {
  const auto s = saved::of(std::pair<std::uint32_t, std::string>{7, "a.csv"});
  CHECK(s.as<std::pair<std::uint32_t, std::string>>() == std::pair<std::uint32_t, std::string>{7, "a.csv"});
  CHECK_THROWS_AS((s.as<std::pair<std::uint32_t, std::uint32_t>>()), decode_error);
  CHECK(saved{}.empty());
  CHECK_FALSE(s.empty());
}
