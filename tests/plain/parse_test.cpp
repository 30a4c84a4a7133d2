#include "messages/parse.hpp"
#include "messages/errors.hpp"
#include "tests/plain/cases.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace std::chrono_literals;
using spillway::epoch_time;
using spillway::parse_cell;
using spillway::parse_text;
using spillway::parse_time;
using spillway::text_of;
using spillway::timestamp;
using milliseconds = std::chrono::sys_time<std::chrono::milliseconds>;

namespace {

enum class color : unsigned char { red, green };
BOOST_DESCRIBE_ENUM(color, red, green)

/// What `text` gives, read as a `T` and written again, or the reason why not.
template <class T>
std::string read(std::string_view text) {
  T value{};
  const auto reason = parse_text(text, value);
  return reason.empty() ? text_of(value) : std::string{reason};
}

std::string error_of(auto f) {
  try {
    f();
  } catch (const spillway::data_error& e) {
    return e.what();
  }
  return "no error";
}

template <class T>
bool reads_back(T value) {
  T again{};
  return parse_text(text_of(value), again).empty() && again == value;
}

}  // namespace

TEST_CASE("whole numbers are read whole or not at all") {
  for (const auto& line : lines_of_file(case_file("c70-expected.txt"))) {
    const auto end = line.find("\" -> ");
    const auto text = line.substr(1, end - 1), expected = line.substr(end + 5);
    std::int64_t value = 0;
    const auto reason = parse_text(text, value);
    CAPTURE(text);
    CHECK((reason.empty() ? text_of(value) : "ERROR") == expected);
  }
  CHECK(read<std::int64_t>("9223372036854775808") == "is out of range for int64");
  CHECK(read<int>("12,5") == "is not a whole number");
  CHECK(read<std::int8_t>("-129") == "is out of range for int8");
  CHECK(read<std::uint8_t>("-1") == "is out of range for uint8");
  CHECK(read<unsigned>("-0") == "0");
  CHECK(read<unsigned>("-x") == "is not a whole number");
  CHECK(read<std::uint64_t>("18446744073709551615") == "18446744073709551615");
}

TEST_CASE("other scalars are as strict") {
  CHECK(read<double>("2.50") == "2.5");
  CHECK(read<double>("1e3") == "1000");
  CHECK(read<double>("0x10") == "is not a number");
  CHECK(read<double>(" 1") == "is not a number");
  CHECK(read<double>("1e999") == "is out of range for a floating point number");
  CHECK(read<double>("nan") == "nan");
  CHECK(read<bool>("true") == "true");
  CHECK(read<bool>("True") == "is not true or false");
  CHECK(read<char>("ab") == "is not a single character");
  CHECK(read<color>("green") == "green");
  CHECK(read<color>("1") == "green");
  CHECK(read<color>("blue") == "is not one of red, green");
  CHECK(read<std::chrono::minutes>("14min") == "14min");
  CHECK(read<std::chrono::minutes>("14") == "14min");
  CHECK(read<std::chrono::minutes>("14s") == "is not a whole number");
}

TEST_CASE("times before 1970 keep their fraction, and what is printed reads back") {
  for (const auto& line : lines_of_file(case_file("c73-expected.txt"))) {
    const auto end = line.find(" -> ");
    const auto text = line.substr(0, end), expected = line.substr(end + 4);
    milliseconds value{};
    const auto reason = parse_text(text, value);
    CAPTURE(text);
    CHECK((reason.empty() ? text_of(value.time_since_epoch().count()) : "ERROR") == expected);
    if (reason.empty()) CHECK(reads_back(value));
  }
  for (auto t : {spillway::min_time, spillway::max_time, timestamp{-1us}, timestamp{}, timestamp{-86400s}}) CHECK(reads_back(t));
}

TEST_CASE("times need an offset") {
  CHECK(read<timestamp>("2024-11-03T01:30:00-04:00") == "2024-11-03T05:30:00Z");
  CHECK(read<timestamp>("2024-01-01T00:15:00+05:45") == "2023-12-31T18:30:00Z");
  CHECK(read<timestamp>("2023-12-31 23:30-0030") == "2024-01-01T00:00:00Z");
  CHECK(read<timestamp>("2024-01-01T00:15:00.1234567Z") == "2024-01-01T00:15:00.123456Z");
  CHECK(read<timestamp>("1969-12-31T23:59:59.9999999Z") == "1969-12-31T23:59:59.999999Z");
  CHECK(read<timestamp>("2024-11-03T01:30:00") ==
        "is not a time: needs an offset such as Z, or a zone, such as columns{{\"at\", &row::at, sw::zone(\"+02:00\")}}");
  CHECK(read<timestamp>("2024-11-03") == "is a day, not a time: needs a time and an offset, such as T00:00:00Z");
  CHECK(read<timestamp>("1700000000").starts_with("is not a time: a number needs a unit"));
  CHECK(read<timestamp>("2024-1-03T01:30:00Z") == "is not a time such as 2001-01-31T12:00:00Z");
  CHECK(read<timestamp>("2024-02-30T01:30:00Z") == "is not a time: there is no such day");
  CHECK(read<timestamp>("2024-02-03T24:00:00Z") == "is not a time: there is no such hour, minute or second");
  CHECK(read<timestamp>("+294248-01-01T00:00:00Z") == "is out of range for a time of its column's unit");
  CHECK(read<std::chrono::sys_days>("2001-01-31") == "2001-01-31");
  CHECK(read<std::chrono::sys_days>("2001-01-31T00:00:00Z") == "is not a date such as 2001-01-31");
  CHECK(read<std::chrono::sys_time<std::chrono::hours>>("2001-01-31T05:00:00Z") == "2001-01-31T05:00:00Z");
  CHECK(read<std::chrono::sys_time<std::chrono::hours>>("2001-01-31T05:01:00Z") == "is finer than the unit of its column");
}

TEST_CASE("a leap second is an error that says so, and no other second 60 exists") {
  CHECK(read<timestamp>("2016-12-31T23:59:60Z") == "is a leap second, which times here do not have");
  CHECK(read<timestamp>("2017-01-01T00:59:60+01:00") == "is a leap second, which times here do not have");
  CHECK(read<timestamp>("2016-12-31T23:59:61Z") == "is not a time: there is no such hour, minute or second");
  CHECK(read<timestamp>("2021-03-04T12:34:60Z") == "is not a time: there is no such hour, minute or second");
}

TEST_CASE("numbers are times in a declared unit") {
  CHECK(epoch_time<std::chrono::seconds>("1700000000") == timestamp{1700000000000ms});
  CHECK(epoch_time<std::chrono::seconds>("1700000000.5") == timestamp{1700000000500ms});
  CHECK(epoch_time<std::chrono::microseconds>("1700000000000000") == timestamp{1700000000000ms});
  CHECK(epoch_time<std::chrono::nanoseconds>("-1") == timestamp{-1us});
  CHECK(epoch_time<std::chrono::seconds>("-0.0000001") == timestamp{-1us});
  CHECK(epoch_time<std::chrono::days>("1.5") == timestamp{36h});
  CHECK_THROWS_AS(epoch_time<std::chrono::seconds>("1700000000000000"), spillway::data_error);
  for (auto text : {"", "-", ".5", "5.", "1e9", "+1", " 1", "99999999999999999999999999999999"})
    CHECK_THROWS_AS(epoch_time<std::chrono::seconds>(text), spillway::data_error);
}

TEST_CASE("parse_time reads a form of the user's own") {
  CHECK(parse_time("%Y%m%d%H%M", "200101010001") == timestamp{978307260s});
  CHECK(parse_time("%d/%m/%Y %H:%M:%S %z", "01/01/2001 01:01:00 +01:00") == timestamp{978307260s});
  CHECK(parse_time("%Y-%m-%d %H:%M", "2001-01-01 01:01", 60min) == timestamp{978307260s});
  CHECK(error_of([] { (void)parse_time("%Y%m%d%H%M", "20011010001"); }) ==
        "\"20011010001\" is not a time of the form %Y%m%d%H%M: %M needs two digits");
  CHECK(error_of([] { (void)parse_time("%Y-%m-%d", "2001-02-29"); }) ==
        "\"2001-02-29\" is not a time: there is no such day (form %Y-%m-%d)");
  CHECK(error_of([] { (void)parse_time("%Y", "2001 "); }) ==
        "\"2001 \" is not a time of the form %Y: it goes on behind its form");
  CHECK(error_of([] { (void)parse_time("%Y-%m-%d %H:%M:%S", "2016-12-31 23:59:60"); }) ==
        "\"2016-12-31 23:59:60\" is a leap second, which times here do not have (form %Y-%m-%d %H:%M:%S)");
  CHECK_THROWS_AS(parse_time("%Q", "1"), spillway::pipeline_error);
}

TEST_CASE("an unquoted empty cell is null for an optional only") {
  std::optional<std::string> name;
  CHECK(parse_cell({"", true}, name).empty());
  CHECK(name == "");
  CHECK(parse_cell({"", false}, name).empty());
  CHECK(name == std::nullopt);
  std::optional<int> number = 1;
  CHECK(parse_cell({"", true}, number) == "is not a whole number");
  CHECK(parse_cell({"", false}, number).empty());
  CHECK(number == std::nullopt);
  std::string plain = "x";
  CHECK(parse_cell({"", false}, plain).empty());
  CHECK(plain == "");
  int whole = 0;
  CHECK(parse_cell({"", false}, whole) == "is not a whole number");
}

TEST_CASE("doubles read back equal at their extremes") {
  using limits = std::numeric_limits<double>;
  for (auto x : {limits::min(), limits::max(), limits::denorm_min(), limits::lowest(), limits::infinity(), -limits::infinity(),
                 0.1, 1.0 / 3, 1e15, 1e-5, 123456789012345.67, 999999999999999.9})
    CHECK(reads_back(x));
  double zero = 1;
  CHECK(parse_text(text_of(-0.0), zero).empty());
  CHECK(std::signbit(zero));
}
