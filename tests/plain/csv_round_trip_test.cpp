#include "actors/sinks/to_csv.hpp"
#include "tests/plain/csv_rows.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <random>

using namespace spillway;

namespace {

enum class color : std::uint8_t { red, green };
BOOST_DESCRIBE_ENUM(color, red, green)

struct inner {
  std::optional<std::string> maybe;
  std::chrono::minutes delay{0};
  bool operator==(const inner&) const = default;
};
BOOST_DESCRIBE_STRUCT(inner, (), (maybe, delay))

struct wide {
  std::string text;
  double number = 0;
  std::optional<double> maybe_number;
  inner in;
  std::int64_t count = 0;
  std::uint8_t small = 0;
  bool yes = false;
  color sign{};
  char letter = 'a';
  timestamp when;
  std::chrono::sys_days day;
  float single = 0;
  bool operator==(const wide&) const = default;
};
BOOST_DESCRIBE_STRUCT(wide, (), (text, number, maybe_number, in, count, small, yes, sign, letter, when, day, single))

class random_rows {
 public:
  explicit random_rows(std::uint64_t seed) : bits_(seed) {}

  wide row() {
    return {text(),
            number(),
            maybe(number()),
            {maybe(text()), std::chrono::minutes{whole()}},
            whole(),
            static_cast<std::uint8_t>(bits_()),
            one_of(2) == 0,
            static_cast<color>(one_of(3)),
            static_cast<char>(bits_()),
            timestamp{std::chrono::microseconds{whole()}},
            std::chrono::sys_days{std::chrono::days{static_cast<std::int32_t>(bits_()) / 8}},
            static_cast<float>(one_of(1000)) / 7};
  }

 private:
  std::size_t one_of(std::size_t n) { return static_cast<std::size_t>(bits_() % n); }

  template <class T>
  std::optional<T> maybe(T value) {
    if (one_of(3) == 0) return {};
    return value;
  }

  std::string text() {
    const std::string_view parts[] = {"a", ",",       "\"", "\n",           "\r",   "\r\n",
                                      " ", {"\0", 1}, "é",  "\xef\xbb\xbf", "null", "sixteen and more letters"};
    std::string text;
    for (auto n = one_of(6); n > 0; --n) text += parts[one_of(std::size(parts))];
    return text;
  }

  double number() {
    using limits = std::numeric_limits<double>;
    const double extremes[] = {
        0.0, -0.0, limits::max(), limits::min(), limits::denorm_min(), limits::infinity(), -limits::infinity(), 1e15, 1e-5};
    if (one_of(2) == 0) return extremes[one_of(std::size(extremes))];
    const auto any = std::bit_cast<double>(bits_());
    return any == any ? any : 1.5;
  }

  std::int64_t whole() {
    using limits = std::numeric_limits<std::int64_t>;
    const std::int64_t extremes[] = {0, -1, limits::max(), limits::min()};
    return one_of(4) == 0 ? extremes[one_of(std::size(extremes))] : static_cast<std::int64_t>(bits_() >> one_of(64));
  }

  std::mt19937_64 bits_;
};

template <class T>
std::vector<T> there_and_back(const std::vector<T>& rows, std::size_t chunk) {
  scratch_folder folder;
  const auto path = folder.file("rows.csv");
  auto writer = to_csv{path}.open<T>({});
  for (const auto& row : rows) {
    batch_of<T> batch;
    batch.push(row);
    writer->write(batch);
  }
  writer->close();
  return rows_of(csv<T>{.path = path, .chunk = chunk, .split_bytes = 50 * chunk}, 3);
}

}  // namespace

TEST_CASE("what to_csv writes, csv reads back equal") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    random_rows random{seed};
    std::vector<wide> rows;
    for (int i = 0; i < 200; ++i) rows.push_back(random.row());
    const auto again = there_and_back(rows, seed * 13);
    CAPTURE(seed);
    REQUIRE(again.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CAPTURE(text_of(rows[i]));
      CHECK(again[i] == rows[i]);
    }
  }
}

TEST_CASE("a column of nulls and empty strings comes back as it was") {
  const std::vector<std::optional<std::string>> rows{{}, "", {}, "x", "", {}};
  CHECK(there_and_back(rows, 3) == rows);
}
