#include "actors/sources/jsonl.hpp"
#include "messages/errors.hpp"
#include "tests/plain/cases.hpp"
#include "tests/plain/json_cases.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <limits>

using namespace spillway;
using namespace std::chrono_literals;

namespace {

enum class color : std::uint8_t { red, green };
BOOST_DESCRIBE_ENUM(color, red, green)

struct part {
  std::string name;
  std::optional<double> weight;
  bool operator==(const part&) const = default;
};
BOOST_DESCRIBE_STRUCT(part, (), (name, weight))

struct order {
  std::int64_t id = 0;
  std::optional<std::string> note;
  std::vector<part> parts;
  std::optional<part> extra;
  std::pair<int, int> size;
  color sign{};
  bool paid = false;
  timestamp placed;
  std::chrono::minutes took{0};
  bool operator==(const order&) const = default;
};
BOOST_DESCRIBE_STRUCT(order, (), (id, note, parts, extra, size, sign, paid, placed, took))

struct pair_of {
  int a = 0;
  std::optional<std::string> b;
  bool operator==(const pair_of&) const = default;
};
BOOST_DESCRIBE_STRUCT(pair_of, (), (a, b))
using pairs = std::vector<pair_of>;

struct one {
  std::int8_t x = 0;
  bool operator==(const one&) const = default;
};
BOOST_DESCRIBE_STRUCT(one, (), (x))

struct floating {
  float x = 0;
};
BOOST_DESCRIBE_STRUCT(floating, (), (x))

struct texts {
  std::string x;
};
BOOST_DESCRIBE_STRUCT(texts, (), (x))

struct timed {
  std::uint16_t number = 0;
  std::optional<timestamp> at;
  std::size_t size = 0;
  bool operator==(const timed&) const = default;
};
BOOST_DESCRIBE_STRUCT(timed, (), (number, at, size))

template <class T>
std::vector<T> rows_in(const std::string& text) {
  const scratch_folder folder;
  return rows_of(jsonl<T>{.path = folder.file("f.jsonl", text)});
}

template <class T>
std::string refused(const std::string& text) {
  const scratch_folder folder;
  return refusals(folder, jsonl<T>{.path = folder.file("f.jsonl", text)});
}

std::string escaped(std::string_view bytes) {
  std::string text;
  for (const auto c : bytes) {
    char hex[8];
    std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += hex;
  }
  return text;
}

/// What is wrong with a record that gives `x`, without place and help.
template <class T = one>
std::string reason(const std::string& record) {
  const auto text = refused<T>(record);
  const std::string place = "f.jsonl:1";
  REQUIRE(text.starts_with(place));
  const auto line = text.substr(place.size(), text.find('\n') - place.size());
  return line.substr(0, line.rfind('|'));
}

}  // namespace

TEST_CASE("members are read from the fields of their names, in any order, and other fields are left out") {
  const auto rows = rows_in<order>(
      R"({"id": 7, "note": "a \"b\"\n\u00e9\ud83d\ude00\/", "parts": [{"name": "x", "weight": 1.5}, {"weight": null, "name": ""}],)"
      R"( "size": [3, 4], "sign": "green", "paid": true, "placed": "2001-02-03T04:05:06+01:00", "took": 90})"
      "\n"
      R"({"took":-1,"placed":"2001-02-03T03:05:06Z","paid":false,"sign":"red","size":[-0,0],"extra":{"name":"y"},"more":{"a":[1,{}]},)"
      R"("parts":[],"note":null,"id":-9223372036854775808})");
  order first{7, "a \"b\"\n\u00e9\U0001f600/", {{"x", 1.5}, {"", {}}}, {}, {3, 4}, color::green, true, {}, 90min};
  first.placed = std::chrono::sys_days{std::chrono::February / 3 / 2001} + 3h + 5min + 6s;
  auto second =
      order{std::numeric_limits<std::int64_t>::min(), {}, {}, part{"y", {}}, {0, 0}, color::red, false, first.placed, -1min};
  CHECK(rows == std::vector<order>{first, second});
}

TEST_CASE("null and a missing field are null for an optional, an empty text is a text") {
  CHECK(rows_in<pair_of>(R"({"a":1,"b":null}
{"a":2}
{"a":3,"b":""})") == pairs{{1, {}}, {2, {}}, {3, ""}});
}

TEST_CASE("nothing of a row stays in the next one") {
  std::string text;
  for (int i = 0; i < 9000; ++i)
    text += i % 2 == 0 ? R"({"a":1,"b":"text"})"
                         "\n"
                       : R"({"a":2})"
                         "\n";
  const auto rows = rows_in<pair_of>(text);
  REQUIRE(rows.size() == 9000);
  for (std::size_t i = 0; i < rows.size(); ++i) REQUIRE(rows[i] == (i % 2 == 0 ? pair_of{1, "text"} : pair_of{2, {}}));
}

TEST_CASE("null and a missing field are a bad row for a member that is no optional") {
  CHECK(refused<one>(R"({"x":null})") ==
        "f.jsonl:1, field 'x'|null|is no value for it|make the member a std::optional, or leave such records out\n");
  CHECK(refused<one>("{}") == "f.jsonl:1, field 'x'|{}|does not have it|make the member a std::optional, which is null then\n");
}

TEST_CASE("the name that was probably meant is given for a missing field") {
  CHECK(refused<pair_of>(R"({"A":1,"c":2})") ==
        "f.jsonl:1, field 'a'|{\"A\":1,\"c\":2}|does not have it|did you mean 'A'? read a field of another name with "
        "columns{{\"name\", &row::member}}\n");
}

TEST_CASE("a name that is there twice in an object is a bad row, wherever it is and however it is written") {
  CHECK(reason(R"({"x":1,"x":1})") == "|\"x\"|is there twice");
  CHECK(reason(R"({"x":1,"\u0078":1})") == "|\"\\u0078\"|is there twice");
  CHECK(reason(R"({"x":1,"other":{"y":[{"z":1,"a":2,"z":1}]}})") == ", field 'other.y'|\"z\"|is there twice");
  CHECK(reason(R"({"x":1,"u":1,"v":2,"u":3})") == "|\"u\"|is there twice");
  std::string many = R"({"x":1)";
  for (int i = 0; i < 3000; ++i) many += ",\"n" + std::to_string(i) + "\":0";
  CHECK(rows_in<one>(many + "}\n" + many + "}") == std::vector<one>{{1}, {1}});
  CHECK(reason(many + R"(,"n17":0})") == "|\"n17\"|is there twice");
  CHECK(rows_in<one>(R"({"x":1,"a":{"x":1},"b":{"x":1,"a":1}})") == std::vector<one>{{1}});
}

TEST_CASE("half of a surrogate pair is a bad row, also in a field that no member wants") {
  constexpr auto half = "has half of a surrogate pair, which is no character";
  for (const std::string text :
       {R"("\ud800")", R"("\ud800x")", R"("\ud800\n")", R"("\ud800\ud800")", R"("\udc00")", R"("a\udfff")"}) {
    CAPTURE(text);
    CHECK(reason<texts>(R"({"x":)" + text + '}') == ", field 'x'|" + text + '|' + half);
    CHECK(reason(R"({"x":1,"y":[)" + text + "]}") == ", field 'y'|" + text + '|' + half);
  }
  CHECK(reason(R"({"x":1,"\ud800":1})") == "|\"\\ud800\"|" + std::string{half});
}

TEST_CASE("bytes that are not UTF-8 are a bad row, and others in the file are rows") {
  for (const auto* bytes : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
    const auto text = "{\"x\":1}\n{\"x\":2,\"y\":\"" + std::string{bytes} + "\"}\n{\"x\":3}";
    CHECK(refused<one>(text) == "f.jsonl:2|{\"x\":2,\"y\":\"" + escaped(bytes) + "\"}|is not UTF-8|convert the file to UTF-8\n");
    const scratch_folder folder;
    seen_refusals seen;
    CHECK(rows_of(jsonl<one>{.path = folder.file("f", text)}, seen) == std::vector<one>{{1}, {3}});
  }
}

TEST_CASE("numbers that do not fit are bad rows") {
  for (const auto& wrong :
       std::vector<std::pair<std::string, std::string>>{{"128", "is out of range for int8"},
                                                        {"-129", "is out of range for int8"},
                                                        {"99999999999999999999999999", "is out of range for int8"},
                                                        {"1.5", "is not a whole number"},
                                                        {"1.0", "is not a whole number"},
                                                        {"1e2", "is not a whole number"},
                                                        {"\"1\"", "is not a number"},
                                                        {"true", "is not a number"},
                                                        {"{}", "is not a number"},
                                                        {"[1]", "is not a number"}}) {
    CAPTURE(wrong.first);
    // Of a list or an object so much is shown as fits, and its end is not looked for.
    const auto shown = wrong.first == "{}" || wrong.first == "[1]" ? wrong.first + '}' : wrong.first;
    CHECK(reason(R"({"x":)" + wrong.first + '}') == ", field 'x'|" + shown + '|' + wrong.second);
  }
  CHECK(reason<floating>(R"({"x":1e39})") == ", field 'x'|1e39|is out of range for a floating point number");
  CHECK(reason<texts>(R"({"x":1})") == ", field 'x'|1|is not a text");
  CHECK(reason<order>(R"({"parts":{}})") == ", field 'parts'|{}}|is not a list");
  CHECK(reason<order>(R"({"extra":1})") == ", field 'extra'|1|is not an object");
  CHECK(reason<order>(R"({"size":[1]})") == ", field 'size'|[1]}|is not a list of 2 values");
  CHECK(reason<order>(R"({"size":[1,2,3]})") == ", field 'size'|[1,2,3]}|is not a list of 2 values");
  CHECK(reason<order>(R"({"paid":"true"})") == ", field 'paid'|\"true\"|is not true or false");
  CHECK(reason<order>(R"({"sign":"blue"})") == ", field 'sign'|\"blue\"|is not one of red, green");
  CHECK(reason<order>(R"({"placed":5})") == ", field 'placed'|5|is not a text");
}

TEST_CASE("what JSON does not have is a bad row") {
  for (const std::string value :
       {"01",       "+1",         ".5",      "1.",    "1.e1", "1e",      "-",           "0x10",      "1_000",  "nan", "NaN",
        "Infinity", "-Infinity",  "True",    "nulls", "tru",  "'a'",     "1 2",         "1\"a\"",    "\"a\"1", "1}",  "[1,]",
        "[,1]",     "{\"a\":1,}", "{\"a\"}", "{1:1}", "[1}",  "\"\\x\"", "\"\\u12g4\"", "\"\\u12\"", ""}) {
    CAPTURE(value);
    CHECK_FALSE(refused<one>(R"({"x":1,"y":)" + value + '}').empty());
    CHECK_FALSE(refused<floating>(R"({"x":)" + value + '}').empty());
  }
}

TEST_CASE("a line holds one object and nothing else") {
  CHECK(reason(R"({"x":1} {"x":2})") == "|{\"x\":2}|stands behind the end of the record");
  CHECK(reason(R"({"x":1}])") == "|]|stands behind the end of the record");
  CHECK(reason("[1]") == "|[1]|is not an object");
  CHECK(reason("7") == "|7|is not an object");
  CHECK(reason("{\"x\":\n1}") == ", field 'x'|{\"x\":|ends before it is whole");
}

TEST_CASE("NUL and other control characters are bad rows unless they are escaped") {
  using namespace std::string_literals;
  CHECK(reason<texts>("{\"x\":\"a\0b\"}"s) == R"(|{"x":"a\x00b"})"
                                              "|has a text with a control character in it");
  CHECK(reason<texts>("{\"x\":\"a\tb\"}") == R"(|{"x":"a\tb"})"
                                             "|has a text with a control character in it");
  CHECK(reason<texts>("{\0\"x\":\"b\"}"s) == "|\\x00\"x\":\"b\"|stands where the name of a field should be");
  const auto rows = rows_in<texts>(R"({"x":"a\u0000b"})");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].x == "a\0b"s);
}

TEST_CASE("blank lines, CRLF and a byte order mark at the start are no records") {
  CHECK(rows_in<one>("\xef\xbb\xbf\n{\"x\":1}\r\n\r\n   \n\t{ \"x\" :\t2 } \n\n") == std::vector<one>{{1}, {2}});
  CHECK(rows_in<one>("") == std::vector<one>{});
  CHECK(rows_in<one>("\xef\xbb\xbf") == std::vector<one>{});
  CHECK(reason("{\"x\":1}\xef\xbb\xbf") == "|\xef\xbb\xbf|stands behind the end of the record");
}

TEST_CASE("a last line that was cut off is a bad row, one without a line end is not") {
  CHECK(rows_in<one>("{\"x\":1}\n{\"x\":2}") == std::vector<one>{{1}, {2}});
  CHECK(refused<one>("{\"x\":1}\n{\"x\":") ==
        "f.jsonl:2, field 'x'|{\"x\":|ends before it is whole|the file may have been cut off here\n");
  CHECK(
      refused<one>("{\"x\":1}\n{\"x\":1,\"y\":\"ab") ==
      "f.jsonl:2|{\"x\":1,\"y\":\"ab|has a text that does not end|close it with a quote; the file may have been cut off here\n");
  CHECK(refused<one>("{\"x\":1}\n{\"x\":1") ==
        "f.jsonl:2|{\"x\":1|ends before it is whole|the file may have been cut off here\n");
}

TEST_CASE("a record longer than allowed is a bad row, however it is read, and the next one is a row") {
  const scratch_folder folder;
  const auto text = "{\"x\":1}\n{\"x\":2,\"y\":\"" + std::string(5000, 'y') + "\"}\n{\"x\":3}\n";
  const auto path = folder.file("f.jsonl", text);
  for (const std::size_t chunk : {250, 1000, 100'000}) {
    CAPTURE(chunk);
    seen_refusals seen{folder.path};
    CHECK(rows_of(jsonl<one>{.path = path, .max_record = 1000, .chunk = chunk}, seen) == std::vector<one>{{1}, {3}});
    CHECK(seen.text ==
          "f.jsonl:2|" + text.substr(8, 200) + "…|is longer than 1000 bytes|raise max_record if there are such records\n");
    CHECK(rows_of(jsonl<one>{.path = path, .max_record = 5017, .chunk = chunk}) == std::vector<one>{{1}, {2}, {3}});
  }
}

TEST_CASE("lists and objects that lie too deep are a bad row") {
  const auto nested = [](std::size_t n) { return R"({"x":1,"y":)" + std::string(n, '[') + std::string(n, ']') + '}'; };
  const auto beginning = R"({"x":1,"y":)" + std::string(189, '[') + "…";
  CHECK(rows_in<one>(nested(255)) == std::vector<one>{{1}});
  CHECK(reason(nested(256)) == ", field 'y'|" + beginning + "|has more than 256 lists and objects in one another");
  CHECK(reason(nested(100'000)) == ", field 'y'|" + beginning + "|has more than 256 lists and objects in one another");
  std::string objects = R"({"x":1)";
  for (int i = 0; i < 100'000; ++i) objects += R"(,"y":{"y":1)";
  CHECK_FALSE(refused<one>(objects).empty());
}

TEST_CASE("a file that becomes shorter while it is read is an error, even where bad rows are skipped") {
  const scratch_folder folder;
  const auto path = folder.file("f.jsonl", "{\"x\":1}\n{\"x\":2}\n{\"x\":3}\n");
  const jsonl<one> source{.path = path, .chunk = 10};
  seen_refusals seen;
  source_context context;
  context.bad = &seen;
  const auto reader = source.open(source.splits(context)->next().value(), context);
  std::filesystem::resize_file(path, 12);
  const auto error = error_of(folder, [&] {
    batch_of<one> batch;
    while (reader->read(batch).state != read_result::kind::end) {
    }
  });
  CHECK(error.starts_with("cannot read 'f.jsonl': it has fewer than the 24 bytes"));
}

TEST_CASE("columns rename fields and read them through functions of their text") {
  const scratch_folder folder;
  const auto path = folder.file("f.jsonl", R"({"when":1700000000.5,"text":"1\u0030","id":3}
{"when":null,"text":"x","id":4})");
  const jsonl<timed> source{.path = path,
                            .columns = {{"when", &timed::at, epoch_time<std::chrono::seconds>},
                                        {"text", &timed::size, [](std::string_view t) { return t.size(); }},
                                        {"id", &timed::number}}};
  CHECK(rows_of(source) == std::vector<timed>{{3, timestamp{1700000000500ms}, 2}, {4, {}, 1}});
  const jsonl<timed> throwing{
      .path = path,
      .columns = {{"text", &timed::size, [](std::string_view) -> std::size_t { throw std::runtime_error{"no size"}; }},
                  {"when", &timed::at, epoch_time<std::chrono::seconds>},
                  {"id", &timed::number}}};
  CHECK(error_of(folder, [&] { (void)rows_of(throwing); }) ==
        "f.jsonl:1, field 'text': \"1\\u0030\" was refused: no size\n  help: correct the file, or the function for this field");
}

TEST_CASE("mistakes in columns are errors before anything is read") {
  CHECK_THROWS_AS((jsonl<pair_of>{.path = "none", .columns = {{"a", &pair_of::a}, {"b", &pair_of::a}}}.check()), pipeline_error);
  CHECK_THROWS_AS((jsonl<pair_of>{.path = "none", .columns = {{"b", &pair_of::a}}}.check()), pipeline_error);
  CHECK_THROWS_AS((jsonl<one>{.path = "none"}.check()), data_error);
}

TEST_CASE("a row that is one value is the field 'value', and keyed rows are one object") {
  const scratch_folder folder;
  CHECK(rows_of(jsonl<int>{.path = folder.file("a", R"({"value":7})")}) == std::vector{7});
  using row = keyed<std::tuple<std::string, int>, pair_of>;
  CHECK(rows_of(jsonl<row>{.path = folder.file("b", R"({"key1":"k","key2":5,"a":1,"b":"x"})")}) ==
        std::vector<row>{{{"k", 5}, {1, "x"}}});
}
