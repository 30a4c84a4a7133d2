#include "messages/text.hpp"
#include "messages/keyed.hpp"
#include "messages/time.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace std::chrono_literals;
using spillway::text_of;
using spillway::timestamp;

namespace {

enum class color : unsigned char { red, green };
BOOST_DESCRIBE_ENUM(color, red, green)
enum class plain_enum : std::int8_t { low = -3 };

struct flight {
  std::string origin;
  int delay = 0;
  std::optional<double> wind;
  color sign{};
};
BOOST_DESCRIBE_STRUCT(flight, (), (origin, delay, wind, sign))

}  // namespace

TEST_CASE("numbers take the shortest form that reads back equal") {
  CHECK(text_of(-5) == "-5");
  CHECK(text_of(std::int8_t{-5}) == "-5");
  CHECK(text_of(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(text_of(0.1) == "0.1");
  CHECK(text_of(0.1f) == "0.1");
  CHECK(text_of(100000.0) == "100000");
  CHECK(text_of(1e22) == "1e+22");
  CHECK(text_of(-0.0) == "-0");
  CHECK(text_of(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
  CHECK(text_of(-std::nan("")) == "nan");
}

TEST_CASE("times are ISO 8601 in UTC, with a fraction only if there is one") {
  CHECK(text_of(timestamp{978307260s}) == "2001-01-01T00:01:00Z");
  CHECK(text_of(timestamp{1ms}) == "1970-01-01T00:00:00.001Z");
  CHECK(text_of(timestamp{-1us}) == "1969-12-31T23:59:59.999999Z");
  CHECK(text_of(std::chrono::sys_time<std::chrono::hours>{-5h}) == "1969-12-31T19:00:00Z");
  CHECK(text_of(std::chrono::sys_days{std::chrono::year{2001} / 1 / 1}) == "2001-01-01");
  CHECK(text_of(spillway::min_time) == "-290308-12-21T19:59:05.224192Z");
  CHECK(text_of(spillway::max_time) == "+294247-01-10T04:00:54.775807Z");
}

TEST_CASE("durations are written with their unit") {
  CHECK(text_of(14min) == "14min");
  CHECK(text_of(1.5s) == "1.5s");
  CHECK(text_of(std::chrono::weeks{2}) == "2[604800]s");
}

TEST_CASE("described enums are written by name, all others as numbers") {
  CHECK(text_of(color::green) == "green");
  CHECK(text_of(color{7}) == "7");
  CHECK(text_of(plain_enum::low) == "-3");
}

TEST_CASE("rows of several values name them") {
  CHECK(text_of(flight{"MCI", 14, {}, color::red}) == "{origin: MCI, delay: 14, wind: null, sign: red}");
  CHECK(text_of(spillway::keyed<std::string, int>{"MCI", 3}) == "{key: MCI, value: 3}");
  CHECK(text_of(std::tuple{1, 'x', true, std::string{"q"}}) == "(1, x, true, q)");
  CHECK(text_of(std::pair{1, std::optional<int>{}}) == "(1, null)");
  CHECK(text_of(std::vector{1.5, 2.0}) == "[1.5, 2]");
  CHECK(text_of(std::optional<int>{}) == "");
  CHECK(text_of(spillway::no_key{}) == "{}");
}

TEST_CASE("text from outside is shown in one line") {
  std::string text;
  spillway::detail::append_visible(text, std::string_view{"a\n\t\r\0\x1b\x7f\xc3\xa9", 9});
  CHECK(text == "a\\n\\t\\r\\x00\\x1b\\x7f\xc3\xa9");
}
