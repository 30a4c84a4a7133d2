#include "actors/sinks/to_jsonl.hpp"
#include "actors/sources/jsonl.hpp"
#include "messages/errors.hpp"
#include "tests/plain/cases.hpp"
#include "tests/plain/json_cases.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace spillway;

namespace {

enum class color : std::uint8_t { red, green };
BOOST_DESCRIBE_ENUM(color, red, green)
enum class level : std::int16_t { low, high };

struct inner {
  std::optional<std::string> maybe;
  std::chrono::minutes delay{0};
  std::vector<std::optional<double>> numbers;
  bool operator==(const inner&) const = default;
};
BOOST_DESCRIBE_STRUCT(inner, (), (maybe, delay, numbers))

struct wide {
  std::string text;
  double number = 0;
  std::optional<double> maybe_number;
  inner in;
  std::optional<inner> maybe_in;
  std::vector<inner> many;
  std::vector<std::vector<std::string>> lists;
  std::tuple<int, std::string, bool> three;
  std::int64_t count = 0;
  std::uint64_t positive = 0;
  std::uint8_t small = 0;
  bool yes = false;
  color sign{};
  level how{};
  char letter = 'a';
  timestamp when;
  std::chrono::sys_days day;
  float single = 0;
  bool operator==(const wide&) const = default;
};
BOOST_DESCRIBE_STRUCT(wide, (),
                      (text, number, maybe_number, in, maybe_in, many, lists, three, count, positive, small, yes, sign, how,
                       letter, when, day, single))

class random_rows {
 public:
  explicit random_rows(std::uint64_t seed) : bits_(seed) {}

  wide row() {
    wide r;
    r.text = text();
    r.number = number();
    r.maybe_number = maybe(number());
    r.in = part();
    r.maybe_in = maybe(part());
    for (auto n = one_of(3); n > 0; --n) r.many.push_back(part());
    for (auto n = one_of(3); n > 0; --n) r.lists.emplace_back(one_of(3), text());
    r.three = {static_cast<int>(bits_()), text(), one_of(2) == 0};
    r.count = whole();
    r.positive = static_cast<std::uint64_t>(whole());
    r.small = static_cast<std::uint8_t>(bits_());
    r.yes = one_of(2) == 0;
    r.sign = static_cast<color>(one_of(3));
    r.how = static_cast<level>(bits_());
    r.letter = static_cast<char>(bits_() & 0x7f);
    r.when = timestamp{std::chrono::microseconds{whole()}};
    r.day = std::chrono::sys_days{std::chrono::days{static_cast<std::int32_t>(bits_()) / 8}};
    r.single = static_cast<float>(one_of(1000)) / 7;
    return r;
  }

  std::size_t one_of(std::size_t n) { return static_cast<std::size_t>(bits_() % n); }

 private:
  template <class T>
  std::optional<T> maybe(T value) {
    if (one_of(3) == 0) return {};
    return value;
  }

  inner part() {
    inner p{maybe(text()), std::chrono::minutes{whole()}, {}};
    for (auto n = one_of(3); n > 0; --n) p.numbers.push_back(maybe(number()));
    return p;
  }

  std::string text() {
    const std::string_view parts[] = {"a", "\\", "\"", "\n", "\r", "\t",   "\x7f",    {"\0", 1},      "\x1f",
                                      " ", "/",  "é",  "€",  "𝄞",  "null", "\\u0041", "\xef\xbb\xbf", "sixteen and more letters"};
    std::string text;
    for (auto n = one_of(6); n > 0; --n) text += parts[one_of(std::size(parts))];
    return text;
  }

  double number() {
    using limits = std::numeric_limits<double>;
    const double extremes[] = {0.0, -0.0, limits::max(), limits::min(), limits::denorm_min(), limits::lowest(), 1e15, 1e-5};
    if (one_of(2) == 0) return extremes[one_of(std::size(extremes))];
    const auto any = std::bit_cast<double>(bits_());
    return std::isfinite(any) ? any : 1.5;
  }

  std::int64_t whole() {
    using limits = std::numeric_limits<std::int64_t>;
    const std::int64_t extremes[] = {0, -1, limits::max(), limits::min()};
    return one_of(4) == 0 ? extremes[one_of(std::size(extremes))] : static_cast<std::int64_t>(bits_() >> one_of(64));
  }

  std::mt19937_64 bits_;
};

template <class T>
void write_file(const std::string& path, const std::vector<T>& rows, const sink_context& context = {}) {
  auto writer = to_jsonl{path}.open<T>(context);
  for (const auto& row : rows) {
    batch_of<T> batch;
    batch.push(row);
    writer->write(batch);
  }
  writer->close();
}

template <class T>
std::string written(const std::vector<T>& rows, const sink_context& context = {}) {
  const scratch_folder folder;
  write_file(folder.file("f"), rows, context);
  return text_of_file(folder.file("f"));
}

struct measured {
  std::string city;
  double degrees = 0;
  std::optional<float> wind;
};
BOOST_DESCRIBE_STRUCT(measured, (), (city, degrees, wind))

}  // namespace

TEST_CASE("what to_jsonl writes, jsonl reads back equal") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    random_rows random{seed};
    std::vector<wide> rows;
    for (int i = 0; i < 200; ++i) rows.push_back(random.row());
    const scratch_folder folder;
    write_file(folder.file("f"), rows);
    const auto again =
        rows_of(jsonl<wide>{.path = folder.file("f"), .chunk = seed * 13, .split_bytes = random.one_of(100'000) + 1000});
    CAPTURE(seed);
    REQUIRE(again.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CAPTURE(text_of(rows[i]));
      CHECK(again[i] == rows[i]);
    }
  }
}

TEST_CASE("rows are objects with the names of their columns, in one line each") {
  CHECK(written<inner>({{"a\"b\\\n\x01é", std::chrono::minutes{90}, {1.5, {}, 1e20, -0.0}}, {{}, {}, {}}}) ==
        "{\"maybe\":\"a\\\"b\\\\\\n\\u0001é\",\"delay\":90,\"numbers\":[1.5,null,1e+20,-0]}\n"
        R"({"maybe":null,"delay":0,"numbers":[]})"
        "\n");
  CHECK(written<std::string>({"x"}) == "{\"value\":\"x\"}\n");
  CHECK(written<timestamp>({timestamp{}}) == "{\"value\":\"1970-01-01T00:00:00Z\"}\n");
}

TEST_CASE("keyed rows are flat, and columns are called as the pipeline calls them") {
  using row = keyed<std::tuple<std::string, color>, measured>;
  const std::vector<row> rows{{{"k", color::green}, {"Bonn", 1.5, 2}}};
  CHECK(written(rows) == R"({"key1":"k","key2":"green","city":"Bonn","degrees":1.5,"wind":2})"
                         "\n");
  CHECK(written(rows, {.step = "out", .columns = {"origin", "say \"hi\"", "city", "degrees", "wind"}}) ==
        R"({"origin":"k","say \"hi\"":"green","city":"Bonn","degrees":1.5,"wind":2})"
        "\n");
  CHECK_THROWS_AS(written(rows, {.step = "out", .columns = {"a", "a", "b", "c", "d"}}), pipeline_error);
  using nested = keyed<int, inner>;
  CHECK(written(std::vector<keyed<int, std::pair<inner, int>>>{{7, {{}, 1}}},
                {.step = "out", .columns = {"n", "a", "b", "c", "last"}}) ==
        R"({"n":7,"value1":{"maybe":null,"delay":0,"numbers":[]},"last":1})"
        "\n");
  CHECK(written(std::vector<nested>{{7, {}}}) == R"({"key":7,"maybe":null,"delay":0,"numbers":[]})"
                                                 "\n");
}

TEST_CASE("what JSON cannot say is an error with row and column") {
  const scratch_folder folder;
  const auto error = [&](const measured& bad) {
    return error_of(folder, [&] { write_file<measured>(folder.file("f"), {{"Bonn", 1, 1}, bad}); });
  };
  CHECK(error({"Bonn", std::nan(""), {}}) ==
        "row 2 of those written here has in column 'degrees' NaN, which is no number in JSON\n"
        "  help: map it to a std::optional without a value, or write CSV");
  CHECK(error({"Bonn", 0, -INFINITY}).starts_with("row 2 of those written here has in column 'wind' an infinite number"));
  for (const auto* bytes : {"\xff", "\xc3", "a\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80", "\xe2\x82"}) {
    CAPTURE(bytes);
    CHECK(error({bytes, 0, {}}).starts_with("row 2 of those written here has in column 'city' a text that is not UTF-8"));
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("f")));
}
