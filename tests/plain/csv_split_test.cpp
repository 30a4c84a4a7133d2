#include "actors/sources/csv_splitter.hpp"
#include "tests/plain/cases.hpp"
#include "tests/plain/csv_model.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <regex>

using spillway::detail::csv_splitter;
using found = csv_splitter::found;
using record = std::vector<std::string>;

namespace {

struct split_result {
  std::vector<record> records;
  std::vector<std::uint64_t> lines, offsets;
  /// Bad records, as `line: text reason`; the last one may be lost.
  std::vector<std::string> bad;
  bool operator==(const split_result&) const = default;
};

/// Cells of `text`, given to the splitter `piece` bytes at a time; quoted ones begin with a mark.
split_result split(std::string_view text, std::size_t piece = 64, std::size_t max_record = 1000) {
  csv_splitter splitter{',', max_record};
  split_result result;
  for (;;) {
    const auto did = splitter.next();
    if (did == found::end) break;
    if (did == found::needs_bytes) {
      const auto n = std::min(piece, text.size());
      auto* const room = splitter.room(piece);
      if (n == 0) {
        splitter.ended();
      } else {
        std::memcpy(room, text.data(), n);
        splitter.added(n);
        text.remove_prefix(n);
      }
      continue;
    }
    const auto line = std::to_string(splitter.line());
    if (did == found::lost) {
      result.bad.push_back(line + ": " + splitter.fault().reason);
      break;
    }
    if (did == found::bad) {
      result.bad.push_back(line + ": " + std::string{splitter.record()} + ' ' + splitter.fault().reason);
      continue;
    }
    auto& r = result.records.emplace_back();
    for (const auto& c : splitter.cells()) r.push_back((c.quoted ? "'" : "") + std::string{c.text});
    result.lines.push_back(splitter.line());
    result.offsets.push_back(splitter.offset());
  }
  return result;
}

std::vector<record> records(std::string_view text) {
  const auto result = split(text);
  CHECK(result.bad.empty());
  return result.records;
}

std::vector<std::string> bad(std::string_view text, std::size_t piece = 64, std::size_t max_record = 1000) {
  return split(text, piece, max_record).bad;
}

split_result modelled(std::string_view text, std::size_t max_record) {
  split_result result;
  for (const auto& r : csv_model{text, max_record}.records) {
    if (r.is != csv_model::kind::good) {
      result.bad.push_back(std::to_string(r.line));
      continue;
    }
    auto& cells = result.records.emplace_back();
    for (const auto& c : r.cells) cells.push_back((c.quoted ? "'" : "") + c.text);
    result.lines.push_back(r.line);
    result.offsets.push_back(r.end);
  }
  return result;
}

/// Of bad records only the line.
split_result without_reasons(split_result r) {
  for (auto& b : r.bad) b.resize(b.find(':'));
  return r;
}

std::string text_of_bytes(std::string_view bytes) {
  std::string text;
  spillway::detail::append_visible(text, bytes);
  return text;
}

std::string random_text(std::mt19937_64& bits) {
  static const std::vector<std::string> parts{"a",
                                              "1",
                                              ",",
                                              ",",
                                              "\n",
                                              "\n",
                                              "\r\n",
                                              "\"",
                                              "\"",
                                              "\"\"",
                                              "\r",
                                              "é",
                                              " ",
                                              std::string(1, '\0'),
                                              "\"x\"",
                                              "\"a\n\",",
                                              "seventeen letters",
                                              "\xef\xbb\xbf"};
  std::string text;
  for (auto n = bits() % 40; n > 0; --n) text += parts[bits() % parts.size()];
  return text;
}

}  // namespace

TEST_CASE("cells, line ends and quotes are told apart as in RFC 4180") {
  using rs = std::vector<record>;
  CHECK(records("") == rs{});
  CHECK(records("a") == rs{{"a"}});
  CHECK(records("a,b\n") == rs{{"a", "b"}});
  CHECK(records("a,b\r\nc,\n") == rs{{"a", "b"}, {"c", ""}});
  CHECK(records("a,") == rs{{"a", ""}});
  CHECK(records("a\r") == rs{{"a"}});
  CHECK(records("\n\nx") == rs{{""}, {""}, {"x"}});
  CHECK(records("\"\",\"a,\"\"b\"\"\n\"\r\n") == rs{{"'", "'a,\"b\"\n"}});
  CHECK(records("\"\"\"\"") == rs{{"'\""}});
  CHECK(records("\xef\xbb\xbf\"a\",b") == rs{{"'a", "b"}});
  CHECK(records("\xef\xbb\xbf") == rs{});
  CHECK(records("a\n\xef\xbb\xbf"
                "b") == rs{{"a"},
                           {"\xef\xbb\xbf"
                            "b"}});
  CHECK(records(std::string_view{"a\0b,\0\n", 6}) == rs{{std::string{"a\0b", 3}, std::string{"\0", 1}}});
  CHECK(records(" a ,\tb") == rs{{" a ", "\tb"}});
  CHECK(records("a cell of more than sixteen bytes,b") == rs{{"a cell of more than sixteen bytes", "b"}});
  CHECK(records("\"1\"\"2\",\"3\"\"\",\"\"\"\"") == rs{{"'1\"2", "'3\"", "'\""}});
}

TEST_CASE("a record that is no CSV is told with its line and text, and hides none behind it") {
  using lines = std::vector<std::string>;
  CHECK(bad("a\nb,c\"d\n\",e\nf\n") == lines{"2: b,c\"d\n\",e has a quote in cell 2, which does not begin with one"});
  CHECK(split("a\nb,c\"d\n\",e\nf\n").records == std::vector<record>{{"a"}, {"f"}});
  CHECK(bad("\"a\nb\"\n\"c\"d\"\"\r\n") == lines{"3: \"c\"d\"\" goes on behind the closing quote of cell 1"});
  CHECK(bad("a\rb\nc\n\r\rd") == lines{"1: a\rb has a carriage return that no line feed follows",
                                       "3: \r\rd has a carriage return that no line feed follows"});
}

TEST_CASE("behind a quote that stays open nothing can be read") {
  using lines = std::vector<std::string>;
  CHECK(bad("a\n\"b\nc") == lines{"2: has a quote that is never closed"});
  CHECK(bad("a\nb\"c\nd\n") == lines{"2: has a quote in cell 1, which does not begin with one"});
  const auto longer = std::string(200, 'x') + '\n';
  for (std::size_t piece : {1, 7, 64, 1000}) {
    CHECK(bad("a\n\"" + longer + "\"\n", piece, 100) ==
          lines{"2: is longer than 100 bytes, in quotes that are not closed so far"});
    CHECK(bad("a\n" + longer + "\"\nb\nc\"\n", piece, 100).size() == 1);
    CHECK(bad("a\n" + longer.substr(0, 150) + '"' + longer + "\"\nb\n", piece, 100) ==
          lines{"2: has a quote that is not closed so far"});
    CHECK(bad("a\n" + longer.substr(0, 150) + "\"\n", piece, 100) == lines{"2: has a quote that is never closed"});
  }
}

TEST_CASE("a record that is too long is passed over without being kept") {
  const auto text = "a\n" + std::string(5000, 'x') + "\"\n\"y\nb\n";
  for (std::size_t piece : {1, 7, 64, 1000, 10000}) {
    const auto result = split(text, piece, 100);
    CHECK(result.records == std::vector<record>{{"a"}, {"b"}});
    CHECK(result.bad == std::vector<std::string>{"2: " + std::string(100, 'x') + " is longer than 100 bytes"});
    CHECK(result.lines == std::vector<std::uint64_t>{1, 4});
  }
}

TEST_CASE("offsets are those behind each record") {
  const auto text = text_of_file(case_file("c55-offsets.csv"));
  const auto result = split(text);
  auto expected = text_of_file(case_file("c55-expected.json"));
  expected.resize(expected.find("rows"));
  std::vector<std::uint64_t> offsets;
  const std::regex pair{"\"[a-z0-9]+\": ([0-9]+)"};
  for (std::sregex_iterator at{expected.begin(), expected.end(), pair}, end; at != end; ++at)
    offsets.push_back(std::stoul((*at)[1]));
  offsets.push_back(text.size());
  CHECK(offsets.size() == 6);
  CHECK(result.offsets == offsets);
  CHECK(result.lines == std::vector<std::uint64_t>{1, 2, 3, 5, 6, 7});
}

TEST_CASE("the pieces in which bytes come make no difference") {
  for (auto name : {"c31-null-keys.csv", "c55-offsets.csv", "c68-dialect.csv", "c69-short.csv", "c69-unclosed.csv"}) {
    const auto text = text_of_file(case_file(name));
    const auto whole = split(text, text.size());
    for (std::size_t piece = 1; piece <= 64; ++piece) CHECK(split(text, piece) == whole);
  }
}

TEST_CASE("any text is split as by reading it one byte at a time") {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    std::mt19937_64 bits{seed};
    const auto text = random_text(bits);
    const auto max_record = bits() % 4 == 0 ? 1 + bits() % 30 : 1000;
    const auto result = split(text, 1 + bits() % 80, max_record);
    CAPTURE(seed);
    CAPTURE(text_of_bytes(text));
    CAPTURE(max_record);
    REQUIRE(without_reasons(result) == modelled(text, max_record));
    const auto again = split(text, 1 + bits() % 80, max_record);
    CAPTURE(text_of_bytes(spillway::text_of(again.bad)));
    CAPTURE(text_of_bytes(spillway::text_of(result.bad)));
    REQUIRE(again.bad == result.bad);
    REQUIRE(again == result);
  }
}
