#include "actors/app/params.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using spillway::params;

namespace {

/// What `--x value` gives for a parameter with this default.
template <class T>
auto read(const std::string& value, T fallback) {
  return params{{{"x", value}}}.get("x", fallback);
}

template <class T>
std::string refusal(const std::string& value, T fallback, std::string_view help = {}) {
  try {
    (void)params{{{"x", value}}}.get("x", fallback, help);
  } catch (const spillway::pipeline_error& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a parameter has the type of its default") {
  const params none;
  static_assert(std::is_same_v<decltype(none.get("x", "a")), std::string>);
  static_assert(std::is_same_v<decltype(none.get("x", std::string{"a"})), std::string>);
  static_assert(std::is_same_v<decltype(none.get("x", 1)), int>);
  static_assert(std::is_same_v<decltype(none.get("x", 1.0f)), float>);
  static_assert(std::is_same_v<decltype(none.get("x", true)), bool>);
  static_assert(std::is_same_v<decltype(none.get("x", 30min)), std::chrono::minutes>);
}

TEST_CASE("a parameter that was not given is its default") {
  const params none;
  CHECK(none.get("a", "text") == "text");
  CHECK(none.get("b", 15) == 15);
  CHECK(none.get("c", 2.5) == 2.5);
  CHECK(none.get("d", true));
  CHECK(none.get("e", 30min) == 30min);
}

TEST_CASE("a parameter is what was given") {
  CHECK(read("other", "text") == "other");
  CHECK(read("", "text") == "");
  CHECK(read("-20", 15) == -20);
  CHECK(read("18446744073709551615", std::uint64_t{0}) == 18446744073709551615U);
  CHECK(read("1e3", 2.5) == 1000.0);
  CHECK(read("false", true) == false);
  CHECK(read("5s", 100ms) == 5000ms);
  CHECK(read("2h", 30min) == 120min);
  CHECK(read("1d", 1.5h) == 24h);
  CHECK(read("0s", 30min) == 0min);
}

TEST_CASE("of several values for one parameter the last counts") {
  CHECK(params{{{"x", "1"}, {"y", "9"}, {"x", "2"}}}.get("x", 0) == 2);
}

TEST_CASE("a parameter without a value is true for a bool and refused for all others") {
  const params args{{{"fast", std::nullopt}}};
  CHECK(args.get("fast", false));
  CHECK_THROWS_WITH(args.get("fast", 1), "parameter --fast has no value");
  CHECK_THROWS_WITH(args["fast"], "parameter --fast has no value");
}

TEST_CASE("a value that is none names the parameter, its text and what is wanted") {
  CHECK(refusal("many", 15) == "parameter --x: 'many' is not a whole number");
  CHECK(refusal("1.5", 15) == "parameter --x: '1.5' is not a whole number");
  CHECK(refusal("", 15) == "parameter --x: '' is not a whole number");
  CHECK(refusal("300", std::uint8_t{1}) == "parameter --x: '300' is not from 0 to 255");
  CHECK(refusal("-1", 1U).starts_with("parameter --x: '-1' is "));
  CHECK(refusal("12,5", 2.5) == "parameter --x: '12,5' is not a number");
  CHECK(refusal("yes", true) == "parameter --x: 'yes' is not true or false");
  CHECK(refusal("5", 30min) == "parameter --x: '5' is not a duration such as 100ms, 5s, 30min or 24h");
  CHECK(refusal("s", 30min) == "parameter --x: 's' is not a duration such as 100ms, 5s, 30min or 24h");
  CHECK(refusal("-5s", 30min) == "parameter --x: '-5s' is not a duration such as 100ms, 5s, 30min or 24h");
  CHECK(refusal("90s", 30min) == "parameter --x: '90s' is not a multiple of 1min");
  CHECK(refusal("110000d", 30min) == "parameter --x: '110000d' is longer than 292 years");
  CHECK(refusal("99999999999999999999s", 30min) == "parameter --x: '99999999999999999999s' is longer than 292 years");
}

TEST_CASE("a refused value comes with the parameter's help") {
  CHECK(refusal("many", 15, "airports to show") ==
        "parameter --x: 'many' is not a whole number\n  note: --x N: airports to show (default: 15)");
}

TEST_CASE("a required parameter that is missing is named") {
  const params args{{{"history", "a.csv"}}};
  CHECK(args["history"] == "a.csv");
  CHECK_THROWS_WITH_AS(args["live"], "parameter --live is missing", spillway::missing_parameter);
}

TEST_CASE("what is read is recorded once, in order, with its default and help") {
  const params args{{{"top", "3"}}};
  (void)args.get("out", "folder");
  (void)args.get("top", 15, "airports to show");
  (void)args.get("out", "folder");
  (void)args.get("lag", 90min);
  (void)args.get("fast", false);
  (void)args.get("limit", 0.5);
  CHECK_THROWS(args["live"]);
  std::string text;
  for (const auto& u : args.uses())
    text += u.name + "|" + u.kind + "|" + u.fallback + "|" + u.help + (u.required ? "|!\n" : "\n");
  CHECK(
      text ==
      "out|TEXT|folder|\ntop|N|15|airports to show\nlag|DURATION|90min|\nfast|true|false|false|\nlimit|X|0.5|\nlive|TEXT|||!\n");
}

TEST_CASE("nothing is missing from blank parameters") {
  const auto blank = params::blank();
  CHECK(blank["history"] == "");
  CHECK(blank.get("top", 15) == 15);
  CHECK(blank.uses().size() == 2);
}

TEST_CASE("durations are written with the greatest unit that divides them") {
  using spillway::detail::text_with_unit;
  CHECK(text_with_unit(0ns) == "0s");
  CHECK(text_with_unit(10'000us) == "10ms");
  CHECK(text_with_unit(90s) == "90s");
  CHECK(text_with_unit(30min) == "30min");
  CHECK(text_with_unit(48h) == "2d");
  CHECK(text_with_unit(1ns) == "1ns");
}
