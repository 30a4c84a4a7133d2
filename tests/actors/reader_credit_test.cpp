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
  for (std::uint32_t credit : {1u, 2u, 3u, 4u})
    for (unsigned seed = 0; seed < 20; ++seed) {
      deterministic d;
      numbers good;
      std::vector<bad_row> bad;
      pipeline p;
      auto in = p.read("in", half_bad{200, bad_rows::set_aside(refused)});
      in.write("good", to_vector{good});
      in.side(refused).write("bad", to_vector{bad});
      auto how = deterministic::tight();
      how.parallelism = 1;
      how.credit = credit;
      d.start(p, how);
      std::mt19937 random{seed};
      std::size_t most = 0;
      while (d.step(random))
        for (auto n : d.view_of("in").queued) most = std::max(most, n);
      CHECK(good.size() == 200);
      CHECK(bad.size() == 200);
      // What was overdrawn once, and the end.
      CHECK(most <= credit + 2);
    }
}
