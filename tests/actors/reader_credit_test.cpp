#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"

#include <doctest/doctest.h>

using namespace spillway;
using namespace spillway::tests;

namespace {

const side<bad_row> refused{"refused"};

/// Gives a row and refuses one in each read.
struct half_bad {
  using row = number;
  static constexpr auto bounds = bounded;
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;
  number count = 0;
  bad_rows bad{};

  struct reader final : source_reader<number> {
    reader(number count, bad_row_port& bad) : count(count), bad(bad) {}
    read_result read(batch_of<number>& to) override {
      bad.refuse({{}, "", std::to_string(next), "is bad"}, "");
      to.push(next++);
      return next < count ? read_result::more() : read_result::end();
    }
    number next = 0, count;
    bad_row_port& bad;
  };
  std::unique_ptr<source_reader<number>> open(const source_context& ctx) const {
    return std::make_unique<reader>(count, *ctx.bad);
  }
};

}  // namespace

TEST_CASE("a reader that gives rows and bad ones pays back what it overdraws, so no more is under way however long it goes on") {
  deterministic d;
  numbers good;
  std::vector<bad_row> bad;
  pipeline p;
  auto in = p.read("in", half_bad{400, bad_rows::set_aside(refused)});
  in.write("good", to_vector{good});
  in.side(refused).write("bad", to_vector{bad});
  auto how = deterministic::tight();
  how.parallelism = 1;
  d.start(p, how);
  std::size_t most = 0;
  const auto task = d.task("in");
  // The reader goes first whenever it can, and its task last.
  while (d.step_without(task))
    for (auto n : d.view_of("in").queued) most = std::max(most, n);
  CHECK(good.size() == 400);
  CHECK(bad.size() == 400);
  CHECK(most <= 3);
}
