// A running sum for each key, by a pipeline and by hand, on two threads.
#include "support/arguments.hpp"
#include "support/compare.hpp"
#include "support/hand_keyed_sum.hpp"
#include "support/machine.hpp"
#include "support/made_source.hpp"

namespace sw = spillway;

namespace {

sw::options two_threads() {
  sw::options o;
  o.parallelism = 2;
  o.threads = 2;
  return o;
}

template <class T>
auto source(std::uint64_t rows, std::uint64_t keys) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    return sw::generate(rows, [keys](std::uint64_t i) {
      T row;
      bench::make_row(i, keys, row);
      return row;
    });
  } else {
    return bench::made_source<T>{rows, keys};
  }
}

template <class T>
bench::totals by_pipeline(std::uint64_t rows, std::uint64_t keys) {
  auto sum = std::make_shared<bench::shared_totals>();
  sw::pipeline p;
  p.read(source<T>(rows, keys)).key_by(&T::key).running("sum", sw::sum(&T::value)).write(bench::total_sink{sum});
  sw::run(p, two_threads());
  return sum->get();
}

struct settings {
  std::uint64_t rows, rounds, keys;
  std::string kind, side;
  std::chrono::seconds patience;
};

template <class T>
void measure(const settings& s, const std::string& kind, std::uint64_t keys, double scale) {
  if (!s.kind.empty() && s.kind != kind) return;
  if (s.keys != 0 && s.keys != keys) return;
  const auto rows = static_cast<std::uint64_t>(static_cast<double>(s.rows) * scale);
  const bench::comparison c{kind + " rows, " + bench::short_count(keys) + " keys", rows, bench::expected_running_sums(rows, keys),
                            s.rounds, s.patience};
  std::vector<bench::side> sides{{"spillway", [=] { return by_pipeline<T>(rows, keys); }},
                                 {"by hand", [=] { return bench::hand_keyed_sum<T>(rows, keys); }}};
  if (!s.side.empty()) std::erase_if(sides, [&](const auto& side) { return side.name != s.side; });
  bench::compare(c, sides);
}

}  // namespace

int main(int argc, char** argv) {
  bench::arguments args{argc, argv, "bench_keyed_sum: a running sum for each key, by a pipeline and by hand, on two threads"};
  settings s;
  s.rows = args.number("rows", 40'000'000, "rows of each run; half as many of text");
  s.rounds = args.number("rounds", 5, "runs of each side after one warm-up");
  s.keys = args.number("keys", 0, "only this number of keys: 1000, 1000000, 10000000; 0 is all of them");
  s.kind = args.text("kind", "", "only this kind of rows: pair, wide, text");
  s.side = args.text("side", "", "only this side, for profilers: spillway or 'by hand'");
  s.patience = std::chrono::seconds{args.number("patience", 0, "seconds to wait for an idle machine before each comparison")};
  args.done();

  for (const std::uint64_t keys : {1'000, 1'000'000, 10'000'000}) measure<bench::pair_row>(s, "pair", keys, 1);
  for (const std::uint64_t keys : {1'000, 1'000'000}) measure<bench::wide_row>(s, "wide", keys, 1);
  for (const std::uint64_t keys : {1'000, 1'000'000}) measure<bench::text_row>(s, "text", keys, 0.5);
}
