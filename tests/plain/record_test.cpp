#include "messages/record.hpp"

#include "messages/key.hpp"
#include "messages/time.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace spillway;

namespace {

enum class colour : std::uint8_t { red, green };

struct packed {
  std::int32_t a = 0, b = 0;
  double c = 0;
};
BOOST_DESCRIBE_STRUCT(packed, (), (a, b, c))

struct gap_inside {
  std::int8_t a = 0;
  std::int64_t b = 0;
};
BOOST_DESCRIBE_STRUCT(gap_inside, (), (a, b))

struct gap_at_end {
  std::int64_t a = 0;
  std::int8_t b = 0;
};
BOOST_DESCRIBE_STRUCT(gap_at_end, (), (a, b))

struct half_described {
  std::int32_t a = 0, secret = 0;
};
BOOST_DESCRIBE_STRUCT(half_described, (), (a))

/// A built-in array is no record.
struct with_array {
  packed first;
  colour c[2] = {};
};
BOOST_DESCRIBE_STRUCT(with_array, (), (first, c))

struct outer {
  packed first;
  timestamp when;
};
BOOST_DESCRIBE_STRUCT(outer, (), (first, when))

struct outer_of_gap {
  gap_inside first;
  std::int64_t second = 0;
};
BOOST_DESCRIBE_STRUCT(outer_of_gap, (), (first, second))

struct with_text : packed {
  std::string name;
  std::vector<std::string> tags;
};
BOOST_DESCRIBE_STRUCT(with_text, (packed), (name, tags))

struct with_pointer {
  int a = 0;
  const char* name = nullptr;
};
BOOST_DESCRIBE_STRUCT(with_pointer, (), (a, name))

struct with_view {
  std::string_view name;
};
BOOST_DESCRIBE_STRUCT(with_view, (), (name))

struct undescribed {
  int a = 0;
};

struct promised {
  std::uint16_t a = 0, b = 0;
};

struct no_default {
  explicit no_default(int) {}
  int a = 0;
};
BOOST_DESCRIBE_STRUCT(no_default, (), (a))

}  // namespace

template <>
inline constexpr bool spillway::plain_row<promised> = true;

static_assert(record<bool> && record<char> && record<std::uint64_t> && record<double> && record<colour>);
static_assert(record<timestamp> && record<std::chrono::seconds> && record<std::string>);
static_assert(record<std::optional<std::string>> && record<std::vector<std::optional<int>>>);
static_assert(record<std::pair<int, std::string>> && record<std::tuple<int, std::string, packed>> && record<std::tuple<>>);
static_assert(record<packed> && record<gap_inside> && record<outer> && record<with_text> && record<no_key> && record<promised>);

static_assert(!record<int*> && !record<const char*> && !record<int&> && !record<void>);
static_assert(!record<std::string_view> && !record<std::span<int>> && !record<std::unique_ptr<int>>);
static_assert(!record<with_pointer> && !record<with_view> && !record<undescribed> && !record<with_array> && !record<no_default>);
static_assert(!record<std::vector<bool>> && !record<std::vector<undescribed>> && !record<std::optional<int*>>);
static_assert(!record<std::pair<int, std::string_view>> && !record<std::tuple<int, undescribed>>);

static_assert(without_gaps<int>() && without_gaps<double>() && without_gaps<colour>() && without_gaps<timestamp>());
static_assert(without_gaps<packed>() && without_gaps<outer>() && without_gaps<promised>());
static_assert(!without_gaps<gap_inside>() && !without_gaps<gap_at_end>() && !without_gaps<outer_of_gap>());
static_assert(!without_gaps<half_described>() && !without_gaps<undescribed>() && !without_gaps<no_key>());
static_assert(!without_gaps<std::string>() && !without_gaps<with_text>() && !without_gaps<std::optional<int>>());
static_assert(!without_gaps<long double>() && !without_gaps<std::chrono::duration<long double>>());

static_assert(member_name(&packed::b) == "b" && member_name(&with_text::tags) == "tags");
static_assert(member_name(&half_described::secret).empty() && member_name(&undescribed::a).empty());

TEST_CASE("members are visited bases first, in the order of the description, and may be changed") {
  with_text row;
  std::string names;
  for_each_member(row, [&](std::string_view name, auto& member) {
    names.append(name).append(" ");
    if constexpr (std::is_same_v<decltype(member), double&>) member = 2.5;
  });
  CHECK(names == "a b c name tags ");
  CHECK(row.c == 2.5);
  names.clear();
  for_each_member(std::as_const(row), [&](std::string_view name, const auto&) { names.append(name); });
  CHECK(names == "abcnametags");
}

TEST_CASE("an inherited member has its name in the derived row too") {
  std::int32_t with_text::*member = &with_text::b;
  CHECK(member_name(member) == "b");
}

TEST_CASE("members of one type are told apart") {
  CHECK(member_name(&packed::a) == "a");
  CHECK(member_name(&packed::b) == "b");
}

TEST_CASE("rows without heap memory hold none") {
  CHECK(heap_bytes(7) == 0);
  CHECK(heap_bytes(packed{}) == 0);
  CHECK(heap_bytes(std::optional<std::string>{}) == 0);
  CHECK(heap_bytes(std::vector<int>{}) == 0);
  CHECK(heap_bytes(std::string{"short"}) == 0);
}

TEST_CASE("heap memory is counted at any depth") {
  const std::string text(1000, 'x');
  const auto one = text.capacity();
  CHECK(one >= 1000);
  CHECK(heap_bytes(std::string{text}) == one);
  CHECK(heap_bytes(std::optional{text}) == one);
  CHECK(heap_bytes(std::pair{text, 1}) == one);
  CHECK(heap_bytes(std::tuple{text, text, 1}) == 2 * one);
  CHECK(heap_bytes(std::vector<std::int64_t>(10)) == 80);
  CHECK(heap_bytes(std::vector<std::string>{text, text}) == 2 * sizeof(std::string) + 2 * one);
  with_text row;
  row.name = text;
  row.tags = {text};
  CHECK(heap_bytes(row) == sizeof(std::string) + 2 * one);
  CHECK(heap_bytes(std::vector<with_text>{row}) == sizeof(with_text) + sizeof(std::string) + 2 * one);
}
