// Times in columns: offsets, declared zones and declared units.
#include "messages/parse_time.hpp"
#include "tests/plain/csv_rows.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using namespace spillway;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::sys_time;

namespace {

template <class Time>
struct event {
  Time at{};
  bool operator==(const event&) const = default;
  BOOST_DESCRIBE_CLASS(event, (), (at), (), ())
};

/// Milliseconds since 1970 of a column's only cell, or the reason why there are none.
template <class Time>
std::string read(const std::string& cell, const columns<event<Time>>& as = {}) {
  scratch_folder folder;
  const auto path = folder.file("f.csv", "x,at\n,\"" + cell + "\"\n");
  const auto result = read_csv(csv<event<Time>>{.path = path, .columns = as}, 1, true);
  if (!result.bad.empty()) return result.bad.front().reason;
  return std::to_string(std::chrono::floor<milliseconds>(result.rows.at(0).at).time_since_epoch().count());
}

std::string in(unit u, const std::string& cell) { return read<timestamp>(cell, {{"at", &event<timestamp>::at, u}}); }
std::string in(zone z, const std::string& cell) { return read<timestamp>(cell, {{"at", &event<timestamp>::at, z}}); }

constexpr auto no_offset =
    "is not a time: needs an offset such as Z, or a zone, such as columns{{\"at\", &row::at, sw::zone(\"+02:00\")}}";
constexpr auto no_unit = "is not a time: a number needs a unit, such as columns{{\"at\", &row::at, sw::unit::seconds}}";

}  // namespace

TEST_CASE("times around and before 1970, and at the ends of the calendar, are exact") {
  for (const auto& line : lines_of_file(case_file("c73-expected.txt"))) {
    const auto arrow = line.find(" -> ");
    const auto text = line.substr(0, arrow), expected = line.substr(arrow + 4);
    CAPTURE(text);
    const auto did = read<timestamp>(text);
    CHECK(did == (expected == "ERROR" ? "is not a time: there is no such day" : expected));
    if (expected == "ERROR") continue;
    // Printing gives the same moment back.
    const timestamp t{milliseconds{std::stoll(expected)}};
    CHECK(read<timestamp>(text_of(t)) == expected);
  }
}

TEST_CASE("offsets tell moments apart that clocks show twice") {
  const auto texts = lines_of_file(case_file("c74-times.txt"));
  const auto expected = lines_of_file(case_file("c74-expected.txt"));
  REQUIRE(texts.size() == expected.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    CHECK(expected[i].starts_with(texts[i] + " -> " + read<timestamp>(texts[i]) + " ms,"));
}

TEST_CASE("leap seconds are refused by name, and only where there can be one") {
  CHECK(read<timestamp>("2016-12-31T23:59:60Z") == "is a leap second, which times here do not have");
  CHECK(in(zone("+02:00"), "2017-01-01T01:59:60") == "is a leap second, which times here do not have");
  for (auto text : {"2016-12-31T23:59:61Z", "2021-03-04T12:34:60Z"})
    CHECK(read<timestamp>(text) == "is not a time: there is no such hour, minute or second");
}

TEST_CASE("numbers are times in the unit that their column declares, and refused without one") {
  CHECK(in(unit::seconds, "1700000000") == "1700000000000");
  CHECK(in(unit::seconds, "1700000000.5") == "1700000000500");
  CHECK(in(unit::milliseconds, "1700000000123") == "1700000000123");
  CHECK(in(unit::microseconds, "1700000000000000") == "1700000000000");
  CHECK(in(unit::nanoseconds, "1700000000000000000") == "1700000000000");
  CHECK(read<timestamp>("1700000000") == no_unit);
  CHECK(in(zone("Z"), "1700000000") == no_unit);
  CHECK(in(unit::seconds, "-0.001") == "-1");
  CHECK(in(unit::seconds, "-0.0000000001") == "-1");
  CHECK(in(unit::seconds, "-31535999.013") == "-31535999013");
  for (auto text : {"", "-", ".5", "1.", "1e9", "+1", " 1", "1 ", "2024-01-01T00:00:00Z", "0x10"})
    CHECK(in(unit::seconds, text) == "is not a number of time units since 1970");
  CHECK(in(unit::seconds, "9223372036854775808") == "is out of range for a time");
  CHECK(in(unit::seconds, "9223372036854775807") == "is out of range for a time of its column's unit");
  CHECK(in(unit::seconds, "-9223372036855") == "is out of range for a time of its column's unit");
  CHECK(in(unit::microseconds, "9223372036854775807") == "9223372036854775");
}

TEST_CASE("times without an offset are in the zone that their column declares, and refused without one") {
  CHECK(in(zone("+02:00"), "2024-01-01T02:00:00") == "1704067200000");
  CHECK(in(zone("-0330"), "2023-12-31T20:30:00.250") == "1704067200250");
  CHECK(in(zone(90min), "2024-01-01 01:30") == "1704067200000");
  CHECK(in(zone("+02:00"), "2024-01-01T00:00:00Z") == "1704067200000");
  CHECK(read<timestamp>("2024-01-01T02:00:00") == no_offset);
  CHECK(in(zone("+02:00"), "2024-01-01") == "is a day, not a time: needs a time and an offset, such as T00:00:00Z");
  for (auto text : {"", "Europe/Berlin", "+2", "+24:00", "+02:00x", "02:00"}) CHECK_THROWS_AS(zone{text}, pipeline_error);
}

TEST_CASE("a unit or a zone goes with times of any unit below a day, and with null") {
  using coarse = event<sys_time<seconds>>;
  CHECK(read<sys_time<seconds>>("1700000000999", {{"at", &coarse::at, unit::milliseconds}}) == "1700000000000");
  using maybe = event<std::optional<timestamp>>;
  scratch_folder folder;
  const auto path = folder.file("f.csv", "at,x\n,\n5,\n\"\",\n");
  const auto result = read_csv(csv<maybe>{.path = path, .columns = {{"at", &maybe::at, unit::seconds}}}, 1, true);
  CHECK(result.rows == std::vector<maybe>{{{}}, {timestamp{5s}}});
  REQUIRE(result.bad.size() == 1);
  CHECK(result.bad[0].place.ends_with("f.csv:4, column 'at'"));
}
