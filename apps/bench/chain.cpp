// Three maps between a source and a sink, against loops that do the same.
#include "support/arguments.hpp"
#include "support/compare.hpp"
#include "support/machine.hpp"
#include "support/rows.hpp"
#include "support/total_sink.hpp"

#include <thread>

namespace sw = spillway;

namespace {

using row = bench::pair_row;

struct sale {
  row operator()(std::uint64_t i) const { return {static_cast<std::int64_t>(i & 1023), static_cast<std::int64_t>(i)}; }
};

/// An amount in cents with tax, a discount by customer, rounded to five cents.
struct tax {
  row operator()(const row& r) const { return {r.key, r.value + r.value * 19 / 100}; }
};
struct discount {
  row operator()(const row& r) const { return {r.key, r.key % 10 == 0 ? r.value - r.value / 20 : r.value}; }
};
struct rounded {
  row operator()(const row& r) const { return {r.key, (r.value + 2) / 5 * 5}; }
};

bench::totals by_pipeline(std::uint64_t rows, std::uint32_t threads) {
  auto sum = std::make_shared<bench::shared_totals>();
  sw::pipeline p;
  p.read(sw::generate(rows, sale{})).map(tax{}).map(discount{}).map(rounded{}).write(bench::total_sink{sum});
  sw::options o;
  o.parallelism = o.threads = threads;
  sw::run(p, o);
  return sum->get();
}

/// A loop for each step over the rows of one batch, which is used again.
bench::totals loops(std::uint64_t i, std::uint64_t end) {
  bench::totals sum;
  auto batch = sw::make_batch<row>({});
  while (i < end) {
    const auto n = std::min<std::uint64_t>(sw::batch_of<row>::capacity, end - i);
    batch->set_size(n);
    for (auto& r : batch->rows()) r = sale{}(i++);
    for (auto& r : batch->rows()) r = tax{}(r);
    for (auto& r : batch->rows()) r = discount{}(r);
    for (auto& r : batch->rows()) r = rounded{}(r);
    sum += bench::total_of(batch->rows());
  }
  return sum;
}

/// All steps in one loop, without batches: what no interface between steps allows.
bench::totals one_loop(std::uint64_t i, std::uint64_t end) {
  bench::totals sum;
  for (; i < end; ++i) sum += {1, rounded{}(discount{}(tax{}(sale{}(i)))).value};
  return sum;
}

using loop = bench::totals (*)(std::uint64_t first, std::uint64_t end);

bench::totals by_hand(loop f, std::uint64_t rows, std::uint32_t threads) {
  std::vector<bench::totals> sums(threads);
  std::vector<std::thread> others;
  for (std::uint32_t t = 1; t < threads; ++t)
    others.emplace_back([&, t] { sums[t] = f(rows * t / threads, rows * (t + 1) / threads); });
  sums[0] = f(0, rows / threads);
  for (auto& t : others) t.join();
  bench::totals sum;
  for (const auto& s : sums) sum += s;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  bench::arguments args{argc, argv, "bench_chain: three maps between a source and a sink, against loops that do the same"};
  const auto rows = args.number("rows", 100'000'000, "rows of each run with one thread; twice as many with two");
  const auto rounds = args.number("rounds", 5, "runs of each side after one warm-up");
  const auto only = args.text("side", "", "only this side, for profilers: spillway, loops, 'one loop'");
  const auto threads = args.number("threads", 0, "only this number of threads: 1, 2; 0 is both");
  const std::chrono::seconds patience{args.number("patience", 0, "seconds to wait for an idle machine before each comparison")};
  args.done();

  for (const std::uint32_t t : {1U, 2U}) {
    if (threads != 0 && threads != t) continue;
    const auto n = rows * t;
    const bench::comparison c{"three maps, " + std::to_string(t) + (t == 1 ? " thread" : " threads"), n, one_loop(0, n), rounds,
                              patience};
    std::vector<bench::side> sides{{"spillway", [=] { return by_pipeline(n, t); }},
                                   {"loops", [=] { return by_hand(loops, n, t); }},
                                   {"one loop", [=] { return by_hand(one_loop, n, t); }}};
    if (!only.empty()) std::erase_if(sides, [&](const auto& s) { return s.name != only; });
    bench::compare(c, sides);
  }
}
