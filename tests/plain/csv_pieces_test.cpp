// Files in pieces, readers that begin in the middle or go on where another one was.
#include "tests/plain/csv_model.hpp"
#include "tests/plain/csv_rows.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace spillway;

namespace {

struct abc {
  std::string a, b, c;
  bool operator==(const abc&) const = default;
};
BOOST_DESCRIBE_STRUCT(abc, (), (a, b, c))

struct remark {
  std::string id, note, last;
  bool operator==(const remark&) const = default;
};
BOOST_DESCRIBE_STRUCT(remark, (), (id, note, last))

struct offset_row {
  int id = 0;
  std::string txt;
  bool operator==(const offset_row&) const = default;
};
BOOST_DESCRIBE_STRUCT(offset_row, (), (id, txt))

struct key_value {
  std::optional<std::string> k;
  int v = 0;
  bool operator==(const key_value&) const = default;
};
BOOST_DESCRIBE_STRUCT(key_value, (), (k, v))

/// Rows, refused ones and the error, in one text.
template <class T>
std::string told(const csv<T>& source, std::size_t readers, bool skip) {
  std::string text;
  try {
    const auto result = read_csv(source, readers, skip);
    for (const auto& r : result.rows) text += text_of(r) + '\n';
    for (const auto& b : result.bad) text += text_of(b) + '\n';
  } catch (const data_error& e) {
    text = std::string{"error: "} + e.what();
  }
  return text;
}

/// Wherever it is cut, and however many read it, it is what one reader of the whole makes of it.
template <class T>
void check_pieces(const std::string& path) {
  const auto size = text_of_file(path).size();
  for (auto skip : {false, true}) {
    const auto whole = told(csv<T>{.path = path}, 1, skip);
    for (std::size_t piece = 1; piece <= size; ++piece) {
      CAPTURE(path);
      CAPTURE(piece);
      for (std::size_t readers = 1; readers <= 7; ++readers) {
        const auto again = told(csv<T>{.path = path, .chunk = 1 + piece % 13, .split_bytes = piece}, readers, skip);
        // Which of several errors comes first is a matter of who reads faster.
        if (whole.starts_with("error: ") && again.starts_with("error: ")) continue;
        REQUIRE(again == whole);
      }
    }
  }
}

std::string random_csv(std::mt19937_64& bits, bool dirty) {
  static const std::vector<std::string> clean{"a",
                                              "",
                                              "12",
                                              "\"q\"",
                                              "\"x,y\"",
                                              "\"two\nlines\"",
                                              "\"two\r\nlines\"",
                                              "\"\"",
                                              "\"say \"\"hi\"\"\"",
                                              "é",
                                              std::string(1, '\0'),
                                              "longer than sixteen bytes"};
  static const std::vector<std::string> wrong{"a\"b", "\"a\"b", "\r", "\xff", "\"", "a,b", "\n", "\"a\n"};
  const auto one_of = [&](const auto& list) { return list[bits() % list.size()]; };
  std::string text = bits() % 3 == 0 ? "\xef\xbb\xbf"
                                       "a,b,c\n"
                                     : "a,b,c\r\n";
  for (auto rows = bits() % 12; rows > 0; --rows) {
    if (bits() % 10 == 0) text += "\n";
    for (auto i = 0; i < 3; ++i) {
      if (i > 0) text += ',';
      text += dirty && bits() % 16 == 0 ? one_of(wrong) : one_of(clean);
    }
    text += bits() % 3 == 0 ? "\r\n" : "\n";
  }
  if (bits() % 3 == 0) text.pop_back();
  return text;
}

bool is_utf8(const csv_model::record& r) {
  return std::none_of(r.cells.begin(), r.cells.end(), [](const auto& c) { return c.text.find('\xff') != std::string::npos; });
}

/// What `told` gives for the model's records, without reasons: rows, then the lines of bad ones.
std::string modelled(const std::string& text) {
  std::string rows, bad;
  const csv_model model{text, 1'000'000};
  for (std::size_t i = 1; i < model.records.size(); ++i) {
    const auto& r = model.records[i];
    if (r.is == csv_model::kind::lost) return "error at " + std::to_string(r.line);
    const auto blank = r.is == csv_model::kind::good && r.cells.size() == 1 && r.cells[0] == csv_model::cell{};
    if (blank) continue;
    if (r.is == csv_model::kind::good && r.cells.size() == 3 && is_utf8(r))
      rows += text_of(abc{r.cells[0].text, r.cells[1].text, r.cells[2].text}) + '\n';
    else
      bad += std::to_string(r.line) + '\n';
  }
  return rows + bad;
}

std::string without_reasons(const csv<abc>& source, std::size_t readers) {
  const auto line_in = [&](const std::string& message) {
    const auto from = source.path.size() + 1;
    return message.substr(from, message.find_first_of(",:", from) - from);
  };
  std::string text;
  try {
    const auto result = read_csv(source, readers, true);
    for (const auto& r : result.rows) text += text_of(r) + '\n';
    for (const auto& b : result.bad) text += line_in(b.place) + '\n';
  } catch (const data_error& e) {
    text = "error at " + line_in(e.what());
  }
  return text;
}

}  // namespace

TEST_CASE("wherever a file is cut, several readers read what one reads of the whole") {
  check_pieces<remark>(case_file("c68-dialect.csv"));
  check_pieces<offset_row>(case_file("c55-offsets.csv"));
  check_pieces<abc>(case_file("c69-short.csv"));
  check_pieces<abc>(case_file("c69-long.csv"));
  check_pieces<offset_row>(case_file("c69-unclosed.csv"));
  check_pieces<key_value>(case_file("c31-null-keys.csv"));
}

TEST_CASE("dirty files are read in pieces as one byte at a time, with the same lines for bad rows") {
  scratch_folder folder;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    std::mt19937_64 bits{seed};
    const auto text = random_csv(bits, seed % 4 != 0);
    const auto path = folder.file("f.csv", text);
    const auto expected = modelled(text);
    CAPTURE(seed);
    for (auto i = 0; i < 6; ++i) {
      const std::size_t piece = i == 0 ? 1'000'000 : 1 + bits() % (text.size() + 1);
      const csv<abc> source{.path = path, .chunk = 1 + bits() % 70, .split_bytes = piece};
      CAPTURE(piece);
      REQUIRE(without_reasons(source, 1 + bits() % 7) == expected);
    }
  }
}

TEST_CASE("a reader goes on behind any row, and gives exactly the rest") {
  const auto path = case_file("c55-offsets.csv");
  const auto all = rows_of(csv<offset_row>{.path = path});
  REQUIRE(all == std::vector<offset_row>{{1, "plain"}, {2, "two\r\nlines"}, {3, "say \"hi\", ok"}, {4, "été"}, {5, "a,b"}});
  for (std::size_t piece : {1000, 40, 10, 1}) {
    const csv<offset_row> source{.path = path, .split_bytes = piece};
    std::vector<offset_row> before;
    const auto list = source.splits({});
    while (const auto s = list->next()) {
      const auto read_all = [](auto& reader, std::vector<offset_row> rows) {
        for (auto more = true; more;) {
          batch_of<offset_row> batch;
          more = reader.read(batch).state != read_result::kind::end;
          rows.insert(rows.end(), batch.rows().begin(), batch.rows().end());
        }
        return rows;
      };
      const auto whole = read_all(*source.open(*s, {}), {});
      // A batch that has room for so many rows.
      for (std::size_t rows = 0; rows <= whole.size(); ++rows) {
        auto first = source.open(*s, {});
        std::vector<offset_row> read;
        if (rows > 0) {
          batch_of<offset_row> batch;
          batch.set_size(batch_of<offset_row>::capacity - rows, 0);
          (void)first->read(batch);
          read.assign(batch.rows().end() - static_cast<std::ptrdiff_t>(rows), batch.rows().end());
        }
        auto second = source.open(*s, {});
        second->seek(first->position());
        CHECK(read_all(*second, read) == whole);
      }
      before.insert(before.end(), whole.begin(), whole.end());
    }
    CHECK(before == all);
  }
}

TEST_CASE("lines in messages are those of the file after going on, and in any piece") {
  scratch_folder folder;
  std::string text = "a,b,c\n";
  for (auto i = 0; i < 100; ++i) text += "1,\"two\nlines\",3\n";
  text += "1,2\n";
  const auto path = folder.file("f.csv", text);
  for (std::size_t piece : {10'000, 700, 100, 7}) {
    const csv<abc> source{.path = path, .chunk = 50, .split_bytes = piece};
    CHECK(error_of(folder.path, [&] { (void)rows_of(source); }).starts_with("f.csv:202: \"1,2\" has 2 cells"));
  }
  const csv<abc> source{.path = path};
  const auto s = source.splits({})->next();
  auto first = source.open(*s, {}), second = source.open(*s, {});
  batch_of<abc> batch;
  batch.set_size(batch_of<abc>::capacity - 10, 0);
  (void)first->read(batch);
  second->seek(first->position());
  batch_of<abc> rest;
  CHECK(error_of(folder.path, [&] { (void)second->read(rest); }).starts_with("f.csv:202: \"1,2\" has 2 cells"));
}

TEST_CASE("pieces have names that are the same each time") {
  scratch_folder folder;
  const csv<abc> source{.path = folder.file("f.csv", "a,b,c\n1,2,3\n"), .split_bytes = 8};
  const auto list = source.splits({});
  CHECK(list->total() == 12);
  CHECK(list->next()->name == source.path + "@0");
  CHECK(list->next()->name == source.path + "@8");
  CHECK_FALSE(list->next());
}
