#include "messages/keyed.hpp"
#include "tests/plain/csv_rows.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using namespace spillway;
using texts = std::vector<std::string>;

namespace {

struct remark {
  std::string id, note, last;
  bool operator==(const remark&) const = default;
};
BOOST_DESCRIBE_STRUCT(remark, (), (id, note, last))

struct abc {
  int a = 0, b = 0, c = 0;
  bool operator==(const abc&) const = default;
};
BOOST_DESCRIBE_STRUCT(abc, (), (a, b, c))

struct shop {
  int id = 0;
  std::string shop;
};
BOOST_DESCRIBE_STRUCT(shop, (), (id, shop))

struct offset_row {
  int id = 0;
  std::string txt;
  bool operator==(const offset_row&) const = default;
};
BOOST_DESCRIBE_STRUCT(offset_row, (), (id, txt))

template <class K>
struct kv {
  K k;
  int v = 0;
  bool operator==(const kv&) const = default;
  BOOST_DESCRIBE_CLASS(kv, (), (k, v), (), ())
};

struct flight {
  timestamp when;
  int delay = 0;
  std::optional<int> distance;
  bool operator==(const flight&) const = default;
};
BOOST_DESCRIBE_STRUCT(flight, (), (when, delay, distance))

struct listed {
  int id = 0;
  std::vector<std::string> tags;
};
BOOST_DESCRIBE_STRUCT(listed, (), (id, tags))

timestamp in_2001(std::string_view text) { return parse_time("%Y%m%d%H%M", "2001" + std::string{text}); }
const columns<flight> as{{"date", &flight::when, in_2001}, {"dly", &flight::delay}};

template <class T>
std::string case_error(const std::string& name) {
  const auto path = case_file(name);
  auto text = error_of(path.substr(0, path.rfind('/')), [&] { (void)rows_of(csv<T>{.path = path}); });
  return text.substr(0, text.find('\n'));
}

}  // namespace

TEST_CASE("all of the CSV dialect is read as it was meant, whatever the size of the reads") {
  const std::vector<remark> expected{{"1", "", "x"},
                                     {"2", "", ""},
                                     {"3", "a \"single, unique\" row", "z"},
                                     {"4", "  spaced  ", "q"},
                                     {"5", std::string{"nul\0in", 6}, "y"},
                                     {"6", "line\r\nbreak", "y"},
                                     {"7", "tab\there", "end"}};
  const std::vector<offset_row> offsets{{1, "plain"}, {2, "two\r\nlines"}, {3, "say \"hi\", ok"}, {4, "été"}, {5, "a,b"}};
  for (std::size_t chunk = 1; chunk <= 64; ++chunk) {
    CHECK(rows_of(csv<remark>{.path = case_file("c68-dialect.csv"), .chunk = chunk}) == expected);
    CHECK(rows_of(csv<offset_row>{.path = case_file("c55-offsets.csv"), .chunk = chunk}) == offsets);
  }
}

TEST_CASE("null and empty differ for an optional, and are both empty for a plain string") {
  using null_rows = std::vector<kv<std::optional<std::string>>>;
  CHECK(rows_of(csv<kv<std::optional<std::string>>>{.path = case_file("c31-null-keys.csv")}) ==
        null_rows{{{}, 1}, {"", 2}, {"a", 3}, {" ", 4}, {{}, 5}});
  using plain_rows = std::vector<kv<std::string>>;
  CHECK(rows_of(csv<kv<std::string>>{.path = case_file("c31-null-keys.csv")}) ==
        plain_rows{{"", 1}, {"", 2}, {"a", 3}, {" ", 4}, {"", 5}});
}

TEST_CASE("a record of another length or an open quote is an error with the line where it starts") {
  CHECK(case_error<abc>("c69-short.csv") == "c69-short.csv:3: \"4,5\" has 2 cells, but the header has 3");
  CHECK(case_error<abc>("c69-long.csv") == "c69-long.csv:3: \"4,5,6,7\" has 4 cells, but the header has 3");
  CHECK(case_error<shop>("c69-unclosed.csv") ==
        "c69-unclosed.csv:4: the record that starts here has a quote that is never closed");
}

TEST_CASE("columns map names and functions of the text, and others are ignored") {
  scratch_folder folder;
  const auto path = folder.file("f.csv", "dly,more,distance,date\n5,x,,01010001\n\n-3,y,12,12312359\n");
  const auto rows = rows_of(csv<flight>{.path = path, .columns = as});
  CHECK(rows == std::vector<flight>{{timestamp{978307260s}, 5, {}}, {timestamp{1009843140s}, -3, 12}});
  const auto semicolons = folder.file("s.csv", "a;b;c\r\n1;2;3");
  CHECK(rows_of(csv<abc>{.path = semicolons, .delimiter = ';'}) == std::vector<abc>{{1, 2, 3}});
  const auto one = folder.file("one.csv", "value\n1\n\n3\n");
  CHECK(rows_of(csv<std::optional<int>>{.path = one}) == std::vector<std::optional<int>>{1, {}, 3});
  const auto lists = folder.file("l.csv", "id,tags\n7,ab\n");
  const auto letters = [](std::string_view text) { return texts{std::string(1, text[0]), std::string(1, text[1])}; };
  CHECK(rows_of(csv<listed>{.path = lists, .columns = {{"tags", &listed::tags, letters}}})[0].tags == texts{"a", "b"});
}

TEST_CASE("errors name file, line, column, reason and remedy") {
  scratch_folder folder;
  const auto error = [&](const std::string& text) {
    const auto path = folder.file("f.csv", "date,dly,distance\n" + text);
    return error_of(folder.path, [&] { (void)rows_of(csv<flight>{.path = path, .columns = as}); });
  };
  CHECK(error("01010001,1,\n01010001,\"12,5\",\n") ==
        "f.csv:3, column 'dly': \"12,5\" is not a whole number\n"
        "  help: correct the file, or read the column with a function, columns{{\"dly\", &row::member, f}}");
  CHECK(error("01010001,,\n") ==
        "f.csv:2, column 'dly': \"\" is not a whole number\n"
        "  help: make the member a std::optional, which is null for an empty cell");
  CHECK(error("1010001,1,\n") ==
        "f.csv:2, column 'date': \"1010001\" was refused: \"20011010001\" is not a time of the form %Y%m%d%H%M: %M needs two "
        "digits\n"
        "  help: correct the file, or the function for this column");
  CHECK(error("01010001,\"1\n" + std::string(100, 'x') + "\",\n").starts_with("f.csv:2, column 'dly': \"1\\nxxx"));
}

TEST_CASE("a missing column is an error that names those there are") {
  scratch_folder folder;
  const auto path = folder.file("f.csv", "date,dealy,distance\n");
  const csv<flight> source{.path = path, .columns = {{"date", &flight::when, in_2001}}};
  const auto expected =
      "f.csv: there is no column 'delay', wanted for the member 'delay'\n"
      "  note: its columns are date, dealy, distance\n"
      "  help: did you mean 'dealy'? map a column of another name with columns{{\"name\", &row::member}}";
  CHECK(error_of(folder.path, [&] { (void)rows_of(source); }) == expected);
  CHECK(error_of(folder.path, [&] { source.check(); }) == expected);
  const auto twice = folder.file("t.csv", "a,b,a,c\n1,2,3,4\n");
  CHECK(error_of(folder.path, [&] { (void)rows_of(csv<abc>{.path = twice}); }) ==
        "t.csv: there are two columns 'a', wanted for the member 'a'\n  help: rename one of them in the file");
}

TEST_CASE("a file that cannot be read is an error before the job runs, with the name that was meant") {
  scratch_folder folder;
  folder.file("flights.csv", "a,b,c\n");
  folder.file("empty.csv", "");
  const auto error = [&](const std::string& path) { return error_of(folder.path, [&] { csv<abc>{.path = path}.check(); }); };
  CHECK(error(folder.file("flihgts.csv")) == "cannot read 'flihgts.csv': no such file\n  help: did you mean 'flights.csv'?");
  CHECK(error(folder.file("none/flights.csv")).find("no such file\n  help: there is no folder '") != std::string::npos);
  CHECK(error(folder.file("flights.csv/x")).find("what should be its folder is a file") != std::string::npos);
  CHECK(error(folder.file("empty.csv")) ==
        "cannot read 'empty.csv': it is empty\n  help: the first line of a CSV file names its columns");
  CHECK(error(folder.file("flights.csv")) == "no error");
}

TEST_CASE("mistakes in columns are errors") {
  CHECK_THROWS_AS((columns<abc>{{"x", &abc::a}, {"y", &abc::a}}.bindings()), pipeline_error);
  CHECK_THROWS_AS(columns<listed>{}.bindings(), pipeline_error);
  CHECK(columns<keyed<int, abc>>{}.bindings().size() == 4);
}

TEST_CASE("a record longer than allowed is an error, and one of many reads is not") {
  scratch_folder folder;
  const auto text = "a,b,c\n1,2,\"" + std::string(5000, '0') + "3\"\n";
  const auto path = folder.file("f.csv", text);
  CHECK(rows_of(csv<abc>{.path = path, .chunk = 100}) == std::vector<abc>{{1, 2, 3}});
  CHECK(error_of(folder.path, [&] {
          (void)rows_of(csv<abc>{.path = path, .max_record = 1000});
        }).starts_with("f.csv:2: the record that starts here is longer than 1000 bytes"));
}
