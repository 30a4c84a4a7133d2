// A CSV file summed by key: makes such files and reads them. `csv_against_duckdb.mjs` runs it by turns with another program.
#include <spillway.hpp>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <vector>

namespace sw = spillway;

namespace {

/// The columns that are asked for: the file has one more, which the other program does not read either.
struct payment {
  std::int64_t account = 0;
  std::int64_t cents = 0;
};
BOOST_DESCRIBE_STRUCT(payment, (), (account, cents))

/// Shows that two programs agree.
struct totals {
  std::uint64_t keys = 0;
  std::int64_t cents = 0;
  void add(const sw::keyed<std::int64_t, std::int64_t>& account) { ++keys, cents += account.value; }
};
BOOST_DESCRIBE_STRUCT(totals, (), (keys, cents))

/// About 30 bytes a row: a key in no order, an amount, a text of which every tenth is quoted.
void make_file(const std::string& path, std::uint64_t rows, std::uint64_t keys) {
  std::ofstream file{path, std::ios::binary};
  file << "account,cents,note\n";
  std::string text;
  for (std::uint64_t i = 0; i < rows; ++i) {
    const auto mixed = i * 0x9E3779B97F4A7C15ULL;
    text += std::to_string((mixed >> 20) % keys) + ',' + std::to_string(static_cast<std::int64_t>(mixed >> 44) - 500'000);
    text += i % 10 == 0 ? ",\"to you, again\"\n" : ",to you\n";
    if (text.size() > 1'000'000 || i + 1 == rows) {
      file << text;
      text.clear();
    }
  }
}

int sum_by_key(const std::string& path) {
  const auto began = std::chrono::steady_clock::now();
  std::vector<totals> all;
  sw::pipeline p;
  p.read("payments", sw::csv<payment>{.path = path})
      .key_by(&payment::account)
      .aggregate("cents", sw::sum(&payment::cents))
      .key_by()
      .aggregate("totals", totals{}, [](const sw::no_key&, const totals& t) { return t; })
      .write(sw::to_vector{all});
  sw::run(p, {.parallelism = 2, .threads = 2});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf("{\"seconds\": %.4f, \"keys\": %" PRIu64 ", \"total\": %" PRId64 "}\n", took.count(), all.at(0).keys,
              all.at(0).cents);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "make" && argc == 5) return make_file(argv[2], std::stoull(argv[3]), std::stoull(argv[4])), 0;
  if (what == "sum" && argc == 3) return sum_by_key(argv[2]);
  std::fprintf(stderr, "use: bench_csv make FILE ROWS KEYS, bench_csv sum FILE\n");
  return 2;
}
