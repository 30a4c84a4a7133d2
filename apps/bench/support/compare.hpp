#pragma once
// Two or more ways to do the same work, timed in turn in one process.
#include "support/totals.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One way to do the work. `run` does all of it and says what came out.
struct side {
  std::string name;
  std::function<totals()> run;
};

struct comparison {
  std::string title;
  std::uint64_t rows = 0;
  /// What each run of each side must give.
  totals expected;
  std::uint64_t rounds = 5;
  /// How long to wait for an idle machine before the first run.
  std::chrono::seconds patience{0};
};

/// Runs the sides in turn, once each as a warm-up and then `rounds` times, and prints rows a second of time and of CPU time and,
/// for each side but the first, the ratio of the first to it. Ends the program with status 1 if a result is wrong.
void compare(const comparison& c, const std::vector<side>& sides);

/// The middle value; of an even number of values the mean of the two in the middle.
double median(std::vector<double> values);

/// Ends the program with status 1, saying what was wrong, unless `found` is `expected`.
void check(const std::string& what, const totals& found, const totals& expected);

}  // namespace bench
