#include "tests/actors/deterministic.hpp"
#include "tests/actors/jobs.hpp"
#include "tests/plain/cases.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;

TEST_CASE("a part that ends by the clock appears when no further row comes, and the next one after more rows") {
  const scratch_folder folder;
  const auto out = folder.file("parts");
  const auto there = [&](int part) { return std::filesystem::exists(out + "/part-0-" + std::to_string(part) + ".csv"); };
  for (const auto buffer_timeout : {0us, 10'000us}) {
    deterministic d;
    pipeline p;
    p.read("in", timed{{{0us, {1, 2}}, {5s, {3}}}}).write("out", to_csv_parts{out, {.every = 1s}});
    auto how = deterministic::tight();
    how.parallelism = 1;
    how.buffer_timeout = buffer_timeout;
    d.start(p, how);
    d.settle();
    d.advance(900ms);
    CHECK_FALSE(there(1));
    for (int i = 0; i < 30; ++i) d.advance(10ms);
    CHECK(there(1));
    CHECK_FALSE(there(2));
    for (int i = 0; i < 60; ++i) d.advance(100ms);
    CHECK(there(2));
    d.the_job().cancel();
    d.settle();
    std::filesystem::remove_all(out);
  }
}
