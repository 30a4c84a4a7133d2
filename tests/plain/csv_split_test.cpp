#include "actors/sources/csv_splitter.hpp"
#include "messages/errors.hpp"
#include "tests/plain/cases.hpp"

#include <doctest/doctest.h>

#include <cstring>

using spillway::detail::csv_splitter;
using found = csv_splitter::found;
using record = std::vector<std::string>;

namespace {

struct split_result {
  std::vector<record> records;
  std::vector<std::uint64_t> lines, offsets;
  std::string error;
  bool operator==(const split_result&) const = default;
};

/// Cells of `text`, given to the splitter `piece` bytes at a time; quoted ones begin with a mark.
split_result split(std::string_view text, std::size_t piece = 64, std::size_t max_record = 1000) {
  csv_splitter splitter{"x", ',', max_record};
  split_result result;
  try {
    for (;;) {
      const auto did = splitter.next();
      if (did == found::end) break;
      if (did == found::needs_bytes) {
        const auto n = std::min(piece, text.size());
        if (n == 0) {
          splitter.ended();
        } else {
          std::memcpy(splitter.room(n), text.data(), n);
          splitter.added(n);
          text.remove_prefix(n);
        }
        continue;
      }
      auto& r = result.records.emplace_back();
      for (const auto& c : splitter.cells()) r.push_back((c.quoted ? "'" : "") + std::string{c.text});
      result.lines.push_back(splitter.line());
      result.offsets.push_back(splitter.offset());
    }
  } catch (const spillway::data_error& e) {
    result.error = e.what();
    result.error.resize(result.error.find('\n'));
  }
  return result;
}

std::vector<record> records(std::string_view text) {
  const auto result = split(text);
  CHECK(result.error == "");
  return result.records;
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
  CHECK(records(std::string_view{"a\0b,\0\n", 6}) == rs{{std::string{"a\0b", 3}, std::string{"\0", 1}}});
  CHECK(records(" a ,\tb") == rs{{" a ", "\tb"}});
  CHECK(records("a cell of more than sixteen bytes,b") == rs{{"a cell of more than sixteen bytes", "b"}});
}

TEST_CASE("what is not CSV is an error naming the line where the record starts") {
  CHECK(split("a\n\"b\nc").error == "x:2: the record that starts here has a quote that is never closed");
  CHECK(split("a\nb,c\"d\n").error == "x:2: cell 2 has a quote in it but does not begin with one");
  CHECK(split("\"a\nb\"\n\"c\"d").error == "x:3: cell 1 goes on behind its closing quote");
  CHECK(split("a\rb").error == "x:1: a carriage return stands alone");
  const auto longer = std::string(200, 'x') + '\n';
  CHECK(split("a\n" + longer, 64, 100).error == "x:2: the record that starts here is longer than 100 bytes");
  CHECK(split("a\n" + longer, 1000, 100).error == "x:2: the record that starts here is longer than 100 bytes");
  CHECK(split("a\n\"" + longer, 64, 100).error ==
        "x:2: the record that starts here is longer than 100 bytes, in quotes that are not closed so far");
}

TEST_CASE("offsets are those behind each record") {
  const auto result = split(text_of_file(case_file("c55-offsets.csv")));
  CHECK(result.offsets == std::vector<std::uint64_t>{8, 17, 33, 53, 62, 69});
  CHECK(result.lines == std::vector<std::uint64_t>{1, 2, 3, 5, 6, 7});
}

TEST_CASE("the pieces in which bytes come make no difference") {
  for (auto name : {"c31-null-keys.csv", "c55-offsets.csv", "c68-dialect.csv", "c69-short.csv", "c69-unclosed.csv"}) {
    const auto text = text_of_file(case_file(name));
    const auto whole = split(text, text.size());
    for (std::size_t piece = 1; piece <= 64; ++piece) CHECK(split(text, piece) == whole);
  }
}
