// What it costs to hand batches over from one task to another: two maps in one task, against one map in each of two tasks.
#include "support/arguments.hpp"
#include "support/compare.hpp"
#include "support/machine.hpp"

#include <spillway.hpp>

#include <array>
#include <cstdio>

namespace sw = spillway;

namespace {

template <std::size_t Bytes>
struct sized_row {
  std::int64_t value;
  std::array<std::int64_t, Bytes / 8 - 1> more;
};

}  // namespace

template <std::size_t Bytes>
inline constexpr bool spillway::plain_row<sized_row<Bytes>> = true;

namespace {

/// `batches` batches of `batch_rows` rows.
template <class T>
struct batches_of_rows {
  using row = T;
  static constexpr auto bounds = sw::bounded;
  static constexpr std::uint32_t max_parallelism = 1;

  std::uint64_t batches = 0, batch_rows = 1;

  std::unique_ptr<sw::source_reader<T>> open(const sw::source_context&) const {
    class reader final : public sw::source_reader<T> {
     public:
      explicit reader(const batches_of_rows& all) : all_(all) {}
      sw::read_result read(sw::batch_of<T>& to) override {
        for (std::uint64_t i = 0; i < all_.batch_rows; ++i) to.data()[i].value = static_cast<std::int64_t>(i);
        to.set_size(all_.batch_rows);
        return ++done_ < all_.batches ? sw::read_result::more() : sw::read_result::end();
      }

     private:
      batches_of_rows all_;
      std::uint64_t done_ = 0;
    };
    return std::make_unique<reader>(*this);
  }
};

struct arrived {
  bench::totals sum;
  std::uint64_t batches = 0;
};

struct measured {
  std::vector<double> wall, cpu;
  arrived last;
};

template <class T>
arrived run_once(std::uint64_t batches, std::uint64_t batch_rows, std::uint32_t threads, bool hop) {
  const auto add_one = [](const T& r) {
    auto made = r;
    ++made.value;
    return made;
  };
  auto all = std::make_shared<arrived>();
  sw::pipeline p;
  auto rows = p.read(batches_of_rows<T>{batches, batch_rows}).map(add_one);
  if (hop) rows = rows.rebalance();
  rows.map(add_one).write(sw::to_callback{[all](std::span<const T> batch) {
    ++all->batches;
    all->sum.rows += batch.size();
    for (const auto& r : batch) all->sum.sum += r.value;
  }});
  sw::options o;
  o.parallelism = 1;
  o.threads = threads;
  sw::run(p, o);
  return *all;
}

struct settings {
  std::uint64_t bytes, rounds;
  std::uint32_t threads;
};

/// Nanoseconds a batch.
template <class T>
void measure(const settings& s, std::uint64_t batch_rows) {
  const auto batches = std::max<std::uint64_t>(1, s.bytes / (batch_rows * sizeof(T)));
  const auto rows = static_cast<std::int64_t>(batch_rows);
  const bench::totals expected{batches * batch_rows, static_cast<std::int64_t>(batches) * (rows * (rows - 1) / 2 + 2 * rows)};
  std::array<measured, 2> found;
  for (std::uint64_t round = 0; round <= s.rounds; ++round) {
    for (const bool hop : {false, true}) {
      const auto cpu = bench::cpu_times::now();
      const auto start = std::chrono::steady_clock::now();
      auto& f = found[hop];
      f.last = run_once<T>(batches, batch_rows, s.threads, hop);
      bench::check(hop ? "with a hop" : "without a hop", f.last.sum, expected);
      if (round == 0) continue;
      const auto took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      f.wall.push_back(took * 1e9 / static_cast<double>(batches));
      f.cpu.push_back((bench::cpu_times::now() - cpu).own * 1e9 / static_cast<double>(batches));
    }
  }
  const auto wall = bench::median(found[1].wall) - bench::median(found[0].wall);
  const auto cpu = bench::median(found[1].cpu) - bench::median(found[0].cpu);
  std::printf("%9zu %8llu %10.0f %10.0f %10.0f %10.0f %9.2f %11.0f\n", sizeof(T), static_cast<unsigned long long>(batch_rows),
              bench::median(found[0].wall), bench::median(found[1].wall), wall, cpu, wall / static_cast<double>(batch_rows),
              static_cast<double>(expected.rows) / static_cast<double>(found[1].last.batches));
}

}  // namespace

int main(int argc, char** argv) {
  bench::arguments args{argc, argv, "bench_hop: two maps in one task, against one map in each of two tasks"};
  settings s;
  s.bytes = args.number("rows", 25'000'000, "rows of 16 bytes of each run, or as many bytes of longer rows") * 16;
  s.rounds = args.number("rounds", 5, "runs of each side after one warm-up");
  const std::chrono::seconds patience{args.number("patience", 0, "seconds to wait for an idle machine before each part")};
  args.done();

  for (const std::uint32_t threads : {1U, 2U}) {
    s.threads = threads;
    const auto idle = bench::idle_share_before(patience);
    const auto before = bench::cpu_times::now();
    std::printf("%s; ns a batch\n%9s %8s %10s %10s %10s %10s %9s %11s\n", threads == 1 ? "one thread" : "two threads",
                "row bytes", "rows", "one task", "two tasks", "hop", "hop, cpu", "hop / row", "rows behind");
    for (const std::uint64_t rows : {64, 256, 1024, 4096}) measure<sized_row<16>>(s, rows);
    measure<sized_row<64>>(s, 1024);
    measure<sized_row<256>>(s, 256);
    measure<sized_row<1024>>(s, 64);
    std::printf("machine: %.0f %% idle before, others took %.0f %% during\n\n", 100 * idle,
                100 * bench::share_of_others(bench::cpu_times::now() - before));
  }
}
