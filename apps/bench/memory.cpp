// How much memory a job with a slow sink holds, and whether ten times the input makes it hold more.
#include "support/arguments.hpp"
#include "support/compare.hpp"
#include "support/machine.hpp"
#include "support/total_sink.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <spillway.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <thread>

namespace sw = spillway;

namespace {

/// 100 bytes.
struct plain {
  std::int32_t key;
  std::array<char, 96> text;
};

/// As many on the heap.
struct text {
  std::int32_t key = 0;
  std::string text;
};
BOOST_DESCRIBE_STRUCT(text, (), (key, text))

}  // namespace

template <>
inline constexpr bool spillway::plain_row<plain> = true;

namespace {

constexpr std::uint64_t keys = 1000;

void make(std::uint64_t i, plain& r) {
  r.key = static_cast<std::int32_t>(i % keys);
  r.text.fill('x');
}

void make(std::uint64_t i, text& r) {
  r.key = static_cast<std::int32_t>(i % keys);
  r.text.assign(96, 'x');
}

/// Takes a millisecond for each 100 rows.
struct slow_sink {
  static constexpr bool blocking = true;
  std::shared_ptr<bench::shared_totals> into;

  template <sw::record T>
  std::unique_ptr<sw::sink_writer<T>> open(const sw::sink_context&) const {
    class writer final : public sw::sink_writer<T> {
     public:
      explicit writer(std::shared_ptr<bench::shared_totals> into) : into_(std::move(into)) {}
      void write(const sw::batch_of<T>& rows) override {
        std::this_thread::sleep_for(std::chrono::microseconds{10} * rows.size());
        sum_.rows += rows.size();
        for (const auto& r : rows.rows()) sum_.sum += r.key;
      }
      void close() override { into_->add(sum_); }

     private:
      std::shared_ptr<bench::shared_totals> into_;
      bench::totals sum_;
    };
    return std::make_unique<writer>(into);
  }
};

/// The job itself, in a process of its own.
template <class T>
int run_job(std::uint64_t rows) {
  auto sum = std::make_shared<bench::shared_totals>();
  sw::pipeline p;
  p.read(sw::generate(rows,
                      [](std::uint64_t i) {
                        T r;
                        make(i, r);
                        return r;
                      }))
      .key_by(&T::key)
      .reduce([](const T&, const T& latest) { return latest; })
      .write(slow_sink{sum});
  sw::options o;
  o.parallelism = o.threads = 2;
  sw::run(p, o);
  const auto whole = static_cast<std::int64_t>(rows / keys * (keys * (keys - 1) / 2)),
             part = static_cast<std::int64_t>(rows % keys);
  bench::check("slow sink", sum->get(), {rows, whole + part * (part - 1) / 2});
  return 0;
}

struct outcome {
  double peak_mib = 0, seconds = 0;
};

/// Starts this program again as a job, and looks at its memory while it runs.
outcome watch(const std::string& kind, std::uint64_t rows) {
  const auto start = std::chrono::steady_clock::now();
  const auto count = std::to_string(rows);
  const auto child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "bench_memory", "--job", kind.c_str(), "--rows", count.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  std::uint64_t peak = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    peak = std::max(peak, bench::held_memory(child));
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "the job with %s rows failed\n", count.c_str());
    std::exit(1);
  }
  return {static_cast<double>(peak) / 1024 / 1024,
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

}  // namespace

int main(int argc, char** argv) {
  bench::arguments args{argc, argv,
                        "bench_memory: the memory that a job with a slow sink holds, and that of one with ten times the input"};
  const auto rows = args.number("rows", 120'000, "rows of 100 bytes; the sinks take about 190 000 a second");
  const auto times = args.number("times", 10, "how much longer the longer input is");
  const auto job = args.text("job", "", "run the job itself: plain, text");
  args.done();
  if (job == "plain") return run_job<plain>(rows);
  if (job == "text") return run_job<text>(rows);

  std::printf("%-6s %10s %10s %8s\n", "rows", "number", "peak MiB", "seconds");
  for (const std::string kind : {"plain", "text"}) {
    const auto once = watch(kind, rows);
    const auto more = watch(kind, rows * times);
    std::printf("%-6s %10llu %10.1f %8.1f\n", kind.c_str(), static_cast<unsigned long long>(rows), once.peak_mib, once.seconds);
    std::printf("%-6s %10llu %10.1f %8.1f   ratio %.2f\n", kind.c_str(), static_cast<unsigned long long>(rows * times),
                more.peak_mib, more.seconds, more.peak_mib / once.peak_mib);
  }
}
