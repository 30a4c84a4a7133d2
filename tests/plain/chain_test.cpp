#include "actors/task/chain.hpp"
#include "tests/plain/interleavings.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <random>

using namespace spillway;
using namespace spillway::tests;

namespace {

batch_ptr one_row(row r) { return element_of("rows " + std::to_string(r)).rows; }

/// Each row as often as `times` says, in batches of one; stops where a stage has to.
struct repeat : stage {
  explicit repeat(row times) : times(times) {}
  progress on_rows(rows_cursor& in, outlet& out) override {
    for (auto rows = rows_in<row>(*in.rows).rows(); in.at < rows.size(); ++in.at, done = 0)
      for (; done < times; ++done) {
        if (out.full()) return progress::more;
        out.push(one_row(rows[in.at]));
      }
    return progress::done;
  }
  row times, done = 0;
};

/// Rows that `keep` says, as they came in batches, even if nothing is left of one.
struct filter : stage {
  explicit filter(std::function<bool(row)> keep) : keep(std::move(keep)) {}
  progress on_rows(rows_cursor& in, outlet& out) override {
    auto some = make_batch<row>(nullptr);
    for (row r : rows_in<row>(*in.rows).rows())
      if (keep(r)) some->push(r);
    out.push(some);
    return progress::done;
  }
  std::function<bool(row)> keep;
};

/// Holds all rows back until a barrier or the end, then gives them one by one.
struct hold : stage {
  progress on_rows(rows_cursor& in, outlet&) override {
    for (row r : rows_in<row>(*in.rows).rows()) held.push_back(r);
    return progress::done;
  }
  progress on_mark(const control& mark, outlet& out) override {
    if (!std::holds_alternative<barrier>(mark) && !std::holds_alternative<end_mark>(mark)) return progress::done;
    for (; !held.empty(); held.pop_front()) {
      if (out.full()) return progress::more;
      out.push(one_row(held.front()));
    }
    return progress::done;
  }
  void on_pause() override { ++pauses; }
  std::deque<row> held;
  int pauses = 0;
};

/// Writes down which input rows came by.
struct inputs : stage {
  progress on_rows(rows_cursor& in, outlet& out) override {
    seen.push_back(std::to_string(in.input));
    out.push(std::move(in.rows));
    return progress::done;
  }
  lines seen;
};

/// Takes batches as long as there are permits, and one that overdraws.
struct one_sink : chain_sink {
  void take(element e) override {
    CHECK_FALSE(blocked());
    if (e.is_batch()) --permits;
    out.push_back(text_of(e));
  }
  void take_side(std::size_t link, std::uint8_t side, batch_ptr rows) override {
    out.push_back("side " + std::to_string(link) + "." + std::to_string(side) + ": " + std::to_string(rows->size()));
  }
  bool blocked() const override { return permits < 0; }
  lines out;
  int permits = 1'000'000;
};

template <class... Stages>
std::vector<chain::link> links(std::unique_ptr<Stages>... stages) {
  std::vector<chain::link> all;
  (all.push_back({"step " + std::to_string(all.size()), std::move(stages)}), ...);
  return all;
}

template <class S, class... Args>
std::unique_ptr<S> a(Args&&... args) {
  return std::make_unique<S>(std::forward<Args>(args)...);
}

bool odd(row r) { return r % 2 != 0; }

/// Pushes one after the other and works until nothing is left.
void run(chain& c, const lines& all) {
  for (const auto& line : all) {
    c.push(element_of(line));
    while (!c.idle()) c.pump(3);
  }
}

}  // namespace

TEST_CASE("rows and marks go through every stage and stay in order") {
  one_sink sink;
  chain c{links(a<filter>(odd), a<repeat>(2), a<hold>()), sink};
  run(c, {"header live", "rows 1 2 3", "watermark 5", "barrier 1", "rows 4", "rows 5", "end"});
  CHECK(sink.out ==
        lines{"header live", "watermark 5", "rows 1", "rows 1", "rows 3", "rows 3", "barrier 1", "rows 5", "rows 5", "end"});
  CHECK((c.links()[0].rows_in == 5 && c.links()[0].rows_out == 3));
  CHECK((c.links()[1].rows_in == 3 && c.links()[1].rows_out == 6));
  CHECK((c.links()[2].rows_in == 6 && c.links()[2].rows_out == 6));
}

TEST_CASE("a chain without stages hands on what it is given") {
  one_sink sink;
  chain c{{}, sink};
  run(c, {"header live", "rows 1", "end"});
  CHECK(sink.out == lines{"header live", "rows 1", "end"});
}

TEST_CASE("a chain works for as many calls of a stage as it is told") {
  one_sink sink;
  chain c{links(a<repeat>(3), a<filter>(odd)), sink};
  c.push(element_of("rows 1"));
  c.pump(3);
  CHECK(sink.out == lines{"rows 1"});
  c.pump(1);
  CHECK(sink.out == lines{"rows 1", "rows 1"});
}

TEST_CASE("output larger than the permits waits as a cursor, and goes on where it stopped") {
  one_sink sink;
  sink.permits = 1;
  chain c{links(a<repeat>(2), a<repeat>(3)), sink};
  c.push(element_of("rows 1 2"));
  c.pump(100);
  CHECK(sink.out == lines{"rows 1", "rows 1"});
  CHECK_FALSE(c.idle());
  CHECK(c.links()[0].rows_out == 1);
  c.pump(100);
  CHECK(sink.out.size() == 2);
  sink.permits = 9;
  c.pump(100);
  CHECK(sink.out == lines{"rows 1", "rows 1", "rows 1", "rows 1", "rows 1", "rows 1", "rows 2", "rows 2", "rows 2", "rows 2",
                          "rows 2", "rows 2"});
  CHECK(c.idle());
}

TEST_CASE("a mark waits behind all that it makes a stage give out") {
  one_sink sink;
  sink.permits = 0;
  chain c{links(a<hold>(), a<filter>(odd)), sink};
  run(c, {"rows 1 2 3 5"});
  c.push(element_of("barrier 1"));
  c.pump(100);
  CHECK(sink.out == lines{"rows 1"});
  sink.permits = 1;
  c.pump(100);
  CHECK(sink.out == lines{"rows 1", "rows 3", "rows 5"});
  sink.permits = 0;
  c.pump(100);
  CHECK(sink.out == lines{"rows 1", "rows 3", "rows 5", "barrier 1"});
}

TEST_CASE("only the first stage is told which input rows came by") {
  one_sink sink;
  auto first = a<inputs>(), second = a<inputs>();
  const auto &seen = first->seen, &behind = second->seen;
  chain c{links(std::move(first), std::move(second)), sink};
  for (std::uint32_t input : {2u, 0u, 1u}) {
    c.push(element_of("rows 1"), input);
    c.pump(100);
  }
  CHECK(seen == lines{"2", "0", "1"});
  CHECK(behind == lines{"0", "0", "0"});
}

TEST_CASE("user code that throws names its step") {
  one_sink sink;
  chain c{links(a<filter>(odd), a<filter>([](row r) {
                  return r < 3 ? true : throw step_failed{std::to_string(r), "too big"};
                })),
          sink};
  run(c, {"rows 1 2"});
  CHECK(c.failed_step() == "");
  c.push(element_of("rows 3"));
  CHECK_THROWS_AS(c.pump(100), step_failed);
  CHECK(c.failed_step() == "step 1");
}

TEST_CASE("a pause reaches every stage") {
  one_sink sink;
  auto first = a<hold>(), second = a<hold>();
  const auto &one = *first, &two = *second;
  chain c{links(std::move(first), std::move(second)), sink};
  c.pause();
  CHECK((one.pauses == 1 && two.pauses == 1));
}

namespace {

/// What the stage makes of a whole trace, worked out at once; rows one by one.
lines expected_of(const lines& trace, std::uint32_t kind) {
  lines out, held;
  for (const auto& line : trace) {
    const bool rows = line.starts_with("rows");
    if (!rows && !line.starts_with("watermark")) out.insert(out.end(), held.begin(), held.end()), held.clear();
    if (!rows || (kind == 0 && odd(std::stoll(line.substr(5)))))
      out.push_back(line);
    else if (kind == 1)
      out.insert(out.end(), 3, line);
    else if (kind == 2)
      held.push_back(line);
  }
  return out;
}

lines one_by_one(const lines& trace) {
  lines out;
  for (const auto& line : trace) {
    const auto e = element_of(line);
    if (!e.is_batch()) out.push_back(line);
    if (e.is_batch())
      for (row r : rows_in<row>(*e.rows).rows()) out.push_back("rows " + std::to_string(r));
  }
  return out;
}

}  // namespace

TEST_CASE("random chains give the same whatever the permits and however small the steps") {
  std::mt19937 random{4};
  for (int run = 0; run < 1000; ++run) {
    CAPTURE(run);
    lines given;
    for (row r = 0; r < 20; ++r)
      given.push_back(random() % 4   ? "rows " + std::to_string(r) + " " + std::to_string(r + 1)
                      : random() % 2 ? "barrier 1"
                                     : "watermark 1");
    given.push_back("end");
    auto expected = one_by_one(given);
    std::vector<chain::link> all;
    for (auto n = random() % 4; n > 0; --n) {
      const std::uint32_t kind = random() % 3;
      expected = expected_of(expected, kind);
      all.push_back({"", nullptr});
      if (kind == 0) all.back().op = a<filter>(odd);
      if (kind == 1) all.back().op = a<repeat>(3);
      if (kind == 2) all.back().op = a<hold>();
    }
    one_sink sink;
    sink.permits = 0;
    chain c{std::move(all), sink};
    for (std::size_t next = 0; next < given.size() || !c.idle();) {
      if (c.idle()) c.push(element_of(given[next++]));
      c.pump(random() % 4);
      if (random() % 2) sink.permits += 1 + random() % 3;
    }
    CHECK(one_by_one(sink.out) == expected);
  }
}
