#include "actors/sources/tail.hpp"

#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"
#include "tests/plain/tail_rig.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;

namespace {

timestamp as_time(const number& n) { return timestamp{std::chrono::microseconds{n}}; }

std::string rows_from(number first, number behind) {
  std::string text;
  for (auto n = first; n < behind; ++n) text += std::to_string(n) + '\n';
  return text;
}

numbers up_to(number n) {
  numbers all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

TEST_CASE("a history, then a file that grows: backlog until both are read, then a row a look, and the overlap once") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", "value\n" + rows_from(0, 1500));
  deterministic d;
  numbers seen;
  pipeline pipe;
  const auto history = pipe.read("history", one_by_one{1000});
  const auto live = pipe.read("live", csv_tail<number>{.path = path, .time = as_time, .from = after_history(10us)});
  history.then("both", live).deduplicate_by("once", itself, 100us).write("out", to_vector{seen});
  auto how = deterministic::tight();
  how.parallelism = 1;
  d.start(pipe, how);
  d.settle();
  CHECK(sorted(seen) == up_to(1500));
  CHECK_FALSE(d.view_of("both").backlog);
  CHECK(d.step_in("live").rows_out == 1500 - 989);
  for (number n = 1500; n < 1520; ++n) {
    append(path, std::to_string(n));
    d.advance(50ms);
    REQUIRE(seen.size() == static_cast<std::size_t>(n));
    append(path, "\n");
    d.advance(50ms);
    REQUIRE(seen.size() == static_cast<std::size_t>(n) + 1);
    REQUIRE(seen.back() == n);
  }
  d.the_job().cancel();
  d.settle();
}
