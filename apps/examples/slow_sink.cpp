// A sink of one's own that is slower than its source: slow_sink run --file rows.csv --pause 1000
// All that is before it waits, so the job holds no more memory for a longer file.
#include <spillway.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

namespace sw = spillway;

struct line {
  std::int64_t number = 0;
  std::string text;
};
BOOST_DESCRIBE_STRUCT(line, (), (number, text))

class slow_writer final : public sw::sink_writer<line> {
 public:
  explicit slow_writer(std::chrono::microseconds pause) : pause_(pause) {}

  void write(const sw::batch_of<line>& batch) override {
    for (const auto& l : batch.rows()) {
      sum_ += l.number;
      if (++rows_ % 100 == 0) std::this_thread::sleep_for(pause_);
    }
  }
  void close() override { std::printf("%lld rows, sum %lld\n", static_cast<long long>(rows_), static_cast<long long>(sum_)); }

 private:
  std::chrono::microseconds pause_;
  std::int64_t rows_ = 0, sum_ = 0;
};

/// What is passed to `write`. `blocking` gives the writer a thread of its own.
struct to_slow_place {
  static constexpr auto verb = "to_slow_place";
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;
  std::chrono::microseconds pause;

  template <class Row>
  std::unique_ptr<sw::sink_writer<Row>> open(const sw::sink_context&) const {
    return std::make_unique<slow_writer>(pause);
  }
};

int main(int argc, char** argv) {
  return sw::app("slow_sink", argc, argv, [](sw::pipeline& p, const sw::params& args) {
    const auto file = args.get("file", "rows.csv", "CSV file with the columns number, text");
    const std::chrono::microseconds pause{args.get("pause", 1000, "microseconds after each 100 rows")};
    p.read("lines", sw::csv<line>{.path = file}).write("slow place", to_slow_place{pause});
  });
}
