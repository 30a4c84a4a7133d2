#include "support/compare.hpp"

#include "support/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bench {

namespace {

struct timed {
  double seconds = 0;
  cpu_times cpu;
};

timed run_once(const comparison& c, const side& s) {
  const auto cpu = cpu_times::now();
  const auto start = std::chrono::steady_clock::now();
  const auto found = s.run();
  timed t{std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), cpu_times::now() - cpu};
  check(c.title + ", " + s.name, found, c.expected);
  return t;
}

std::vector<double> rates(const comparison& c, const std::vector<timed>& runs) {
  std::vector<double> r;
  for (const auto& t : runs) r.push_back(static_cast<double>(c.rows) / t.seconds / 1e6);
  return r;
}

cpu_times sum(const std::vector<timed>& runs) {
  cpu_times all;
  for (const auto& t : runs) all = all + t.cpu;
  return all;
}

void print_side(const side& s, const std::vector<double>& rate, const std::vector<timed>& runs) {
  double seconds = 0;
  std::vector<double> cpu_rate;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    seconds += runs[i].seconds;
    cpu_rate.push_back(rate[i] * runs[i].seconds / runs[i].cpu.own);
  }
  std::printf("  %-22s %8.1f %8.1f %8.1f %8.2f %8.1f\n", s.name.c_str(), median(rate),
              *std::min_element(rate.begin(), rate.end()), *std::max_element(rate.begin(), rate.end()), sum(runs).own / seconds,
              median(cpu_rate));
}

void print_ratio(const side& a, const side& b, const std::vector<double>& ra, const std::vector<double>& rb) {
  std::vector<double> pairs;
  for (std::size_t i = 0; i < ra.size(); ++i) pairs.push_back(ra[i] / rb[i]);
  std::printf("  %s / %s: %.2f of medians, %.2f median of pairs\n", a.name.c_str(), b.name.c_str(), median(ra) / median(rb),
              median(pairs));
}

}  // namespace

void compare(const comparison& c, const std::vector<side>& sides) {
  const auto idle = idle_share_before(c.patience);
  std::vector<std::vector<timed>> runs(sides.size());
  for (const auto& s : sides) run_once(c, s);
  for (std::uint64_t round = 0; round < c.rounds; ++round)
    for (std::size_t i = 0; i < sides.size(); ++i) runs[i].push_back(run_once(c, sides[i]));

  std::printf("%s; %s rows, %llu rounds\n", c.title.c_str(), short_count(c.rows).c_str(),
              static_cast<unsigned long long>(c.rounds));
  std::printf("  %-22s %8s %8s %8s %8s %8s\n", "million rows/s", "median", "least", "most", "cores", "/ cpu s");
  std::vector<std::vector<double>> rate;
  cpu_times during;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    rate.push_back(rates(c, runs[i]));
    print_side(sides[i], rate[i], runs[i]);
    during = during + sum(runs[i]);
  }
  for (std::size_t i = 1; i < sides.size(); ++i) print_ratio(sides[0], sides[i], rate[0], rate[i]);
  std::printf("  machine: %.0f %% idle before, others took %.0f %% during\n\n", 100 * idle, 100 * share_of_others(during));
  std::fflush(stdout);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = values.size();
  return n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

void check(const std::string& what, const totals& found, const totals& expected) {
  if (found == expected) return;
  std::fprintf(stderr, "%s: wrong result: %llu rows with sum %lld instead of %llu with %lld\n", what.c_str(),
               static_cast<unsigned long long>(found.rows), static_cast<long long>(found.sum),
               static_cast<unsigned long long>(expected.rows), static_cast<long long>(expected.sum));
  std::exit(1);
}

}  // namespace bench
