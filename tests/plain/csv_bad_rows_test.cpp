// The table of docs/bad-rows.md, one case for each line.
#include "tests/plain/csv_rows.hpp"

#include <doctest/doctest.h>

using namespace spillway;

namespace {

struct order {
  std::int64_t id = 0;
  std::string note;
  timestamp at;
  bool operator==(const order&) const = default;
};
BOOST_DESCRIBE_STRUCT(order, (), (id, note, at))

const std::string header = "id,note,at\n";
const std::string first = "1,one,2024-01-01T00:00:00Z\n";
const std::string last = "3,three,2024-01-03T00:00:00Z\n";

/// What reading `bad` between two good rows gives: the message where bad rows fail the job, and what is kept of them otherwise.
struct outcome {
  std::string message;
  std::vector<std::int64_t> ids;
  std::vector<std::string> bad;
};

outcome read_text(const std::string& text, csv<order> how = {.path = ""}) {
  scratch_folder folder;
  how.path = folder.file("f.csv", text);
  outcome o;
  o.message = error_of(folder.path, [&] { (void)rows_of(how); });
  o.message.resize(std::min(o.message.size(), o.message.find("\n  help: ")));
  try {
    const auto result = read_csv(how, 1, true);
    for (const auto& r : result.rows) o.ids.push_back(r.id);
    for (const auto& b : result.bad)
      o.bad.push_back(b.place.substr(folder.path.size() + 1) + ": " + b.text + (b.text.empty() ? "" : " ") + b.reason);
  } catch (const data_error& e) {
    o.bad.push_back("error");
  }
  return o;
}

/// A record that is refused, and does not hide the one behind it.
void check_bad(const std::string& record, const std::string& message, csv<order> how = {.path = ""}) {
  CAPTURE(record);
  const auto o = read_text(header + first + record + last, how);
  CHECK(o.message == message);
  CHECK(o.bad == std::vector{message});
  CHECK(o.ids == std::vector<std::int64_t>{1, 3});
}

/// What cannot be read on, whatever becomes of bad rows.
void check_lost(const std::string& record, const std::string& message, csv<order> how = {.path = ""}) {
  CAPTURE(record);
  const auto o = read_text(header + first + record, how);
  CHECK(o.message == message);
  CHECK(o.bad == std::vector<std::string>{"error"});
}

void check_good(const std::string& text, const std::vector<std::int64_t>& ids, csv<order> how = {.path = ""}) {
  const auto o = read_text(text, how);
  CHECK(o.message == "no error");
  CHECK(o.bad.empty());
  CHECK(o.ids == ids);
}

}  // namespace

TEST_CASE("a whole number out of its range is a bad row") {
  check_bad("9223372036854775808,x,2024-01-01T00:00:00Z\n",
            "f.csv:3, column 'id': \"9223372036854775808\" is out of range for int64");
}

TEST_CASE("a cell that is no value of its member's type is a bad row") {
  check_bad("1e3,x,2024-01-01T00:00:00Z\n", "f.csv:3, column 'id': \"1e3\" is not a whole number");
  check_bad(",x,2024-01-01T00:00:00Z\n", "f.csv:3, column 'id': \"\" is not a whole number");
}

TEST_CASE("a time without offset is a bad row, unless its column has a zone") {
  const auto record = "2,x,2024-01-01T00:00:00\n";
  check_bad(record,
            "f.csv:3, column 'at': \"2024-01-01T00:00:00\" is not a time: needs an offset such as Z, or a zone, such as "
            "columns{{\"at\", &row::at, sw::zone(\"+02:00\")}}");
  check_good(header + record, {2}, {.path = "", .columns = {{"at", &order::at, zone("+02:00")}}});
}

TEST_CASE("a number as a time is a bad row, unless its column has a unit") {
  check_bad("2,x,1700000000\n",
            "f.csv:3, column 'at': \"1700000000\" is not a time: a number needs a unit, such as "
            "columns{{\"at\", &row::at, sw::unit::seconds}}");
  check_good(header + "2,x,1700000000\n", {2}, {.path = "", .columns = {{"at", &order::at, unit::seconds}}});
}

TEST_CASE("a leap second is a bad row") {
  check_bad("2,x,2016-12-31T23:59:60Z\n",
            "f.csv:3, column 'at': \"2016-12-31T23:59:60Z\" is a leap second, which times here do not have");
}

TEST_CASE("a record with fewer or more cells than the header is a bad row") {
  check_bad("2,x\n", "f.csv:3: \"2,x\" has 2 cells, but the header has 3");
  check_bad("2,x,2024-01-01T00:00:00Z,\n", "f.csv:3: \"2,x,2024-01-01T00:00:00Z,\" has 4 cells, but the header has 3");
}

TEST_CASE("a quote that is never closed is an error whatever becomes of bad rows") {
  check_lost("2,\"x,2024-01-01T00:00:00Z\n" + last, "f.csv:3: the record that starts here has a quote that is never closed");
}

TEST_CASE("a quote in a cell that does not begin with one is a bad row up to the line end behind the next quote") {
  check_bad("2,5\" pipe and 6\" pipe,2024-01-01T00:00:00Z\n",
            "f.csv:3: \"2,5\" pipe and 6\" pipe,2024-01-01T00:00:00Z\" has a quote in cell 2, which does not begin with one");
  check_bad("2,5\" pipe\n2,\"6\" pipe\"\n",
            "f.csv:3: \"2,5\" pipe\\n2,\"6\" pipe\"\" has a quote in cell 2, which does not begin with one");
  check_lost("2,5\" pipe,\n" + last, "f.csv:3: the record that starts here has a quote in cell 2, which does not begin with one");
}

TEST_CASE("a cell that goes on behind its closing quote is a bad row") {
  check_bad("2,\"x\" y,2024-01-01T00:00:00Z\n",
            "f.csv:3: \"2,\"x\" y,2024-01-01T00:00:00Z\" goes on behind the closing quote of cell 2");
}

TEST_CASE("a carriage return alone is a bad row, and text in quotes") {
  check_bad("2,x\ry,2024-01-01T00:00:00Z\n",
            "f.csv:3: \"2,x\\ry,2024-01-01T00:00:00Z\" has a carriage return that no line feed follows");
  check_good(header + "2,\"x\ry\",2024-01-01T00:00:00Z\r\n", {2});
}

TEST_CASE("a NUL byte is text like any other") {
  check_good(header + "2," + std::string{"x\0y", 3} + ",2024-01-01T00:00:00Z\n", {2});
  check_bad("2" + std::string(1, '\0') + ",x,2024-01-01T00:00:00Z\n", "f.csv:3, column 'id': \"2\\x00\" is not a whole number");
}

TEST_CASE("text that is not UTF-8 is a bad row, but not in a column that nobody reads") {
  const std::pair<std::string, std::string> wrong[] = {{"\xff", "\\xff"},
                                                       {"\x80", "\\x80"},
                                                       {"\xc0\xaf", "\\xc0\\xaf"},
                                                       {"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},
                                                       {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
                                                       {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
                                                       {"é caf\xe9", "é caf\\xe9"},
                                                       {"\xe2\x82", "\\xe2\\x82"}};
  for (const auto& [text, shown] : wrong)
    check_bad("2," + text + ",2024-01-01T00:00:00Z\n", "f.csv:3, column 'note': \"" + shown + "\" is not UTF-8");
  for (const std::string right : {"é", "€", "\xf0\x9f\x8e\x88", "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf", "\x7f"})
    check_good(header + "2," + right + ",2024-01-01T00:00:00Z\n", {2});
  check_good("id,other,note,at\n2,\xff,x,2024-01-01T00:00:00Z\n", {2});
}

TEST_CASE("a byte order mark is dropped where the file begins, and text elsewhere") {
  check_good("\xef\xbb\xbf" + header + first, {1});
  check_bad(
      "\xef\xbb\xbf"
      "2,x,2024-01-01T00:00:00Z\n",
      "f.csv:3, column 'id': \"\xef\xbb\xbf"
      "2\" is not a whole number");
}

TEST_CASE("empty lines are no rows") { check_good(header + "\n" + first + "\r\n\n" + last + "\n\n", {1, 3}); }

TEST_CASE("the last line need not end, but must be whole") {
  check_good(header + first + last.substr(0, last.size() - 1), {1, 3});
  check_good(header + first + last.substr(0, last.size() - 1) + "\r", {1, 3});
  const auto o = read_text(header + first + "3,three");
  CHECK(o.message == "f.csv:3: \"3,three\" has 2 cells, but the header has 3");
  CHECK(o.bad == std::vector{o.message});
}

TEST_CASE("a record that is too long is a bad row, and an error if a quote is open at its limit") {
  const auto longer = std::string(300, 'x');
  const csv<order> how{.path = "", .max_record = 100};
  check_bad("2," + longer + ",2024-01-01T00:00:00Z\n", "f.csv:3: \"2," + std::string(98, 'x') + "\" is longer than 100 bytes",
            how);
  check_lost("2,\"" + longer + "\",2024-01-01T00:00:00Z\n" + last,
             "f.csv:3: the record that starts here is longer than 100 bytes, in quotes that are not closed so far", how);
}

TEST_CASE("a header that is no CSV is an error whatever becomes of bad rows") {
  const auto o = read_text("id,no\"te\",at\n" + first);
  CHECK(o.message == "f.csv:1: the record that starts here has a quote in cell 2, which does not begin with one");
  CHECK(o.bad == std::vector<std::string>{"error"});
}

TEST_CASE("what a column's function throws is a bad row") {
  const auto refuse = [](std::string_view text) -> std::int64_t {
    if (text == "2") throw std::runtime_error{"two is not allowed"};
    return text.front() - '0';
  };
  check_bad("2,x,2024-01-01T00:00:00Z\n", "f.csv:3, column 'id': \"2\" was refused: two is not allowed",
            {.path = "", .columns = {{"id", &order::id, refuse}}});
}

TEST_CASE("a message has at most four lines and shows at most 200 bytes of the file") {
  scratch_folder folder;
  const auto path = folder.file("f.csv", header + "2,\"" + std::string(500, '\n') + "\"\n");
  const auto message = error_of(folder.path, [&] { (void)rows_of(csv<order>{.path = path}); });
  CHECK(std::count(message.begin(), message.end(), '\n') <= 3);
  CHECK(message.size() < 700);
}

TEST_CASE("many bad rows do not hold up the reader's thread") {
  scratch_folder folder;
  std::string text = header;
  for (int i = 0; i < 10'000; ++i) text += "bad\n";
  const csv<order> source{.path = folder.file("f.csv", text)};
  bad_row_list bad;
  source_context context;
  context.bad = &bad;
  auto reader = source.open(*source.splits({})->next(), context);
  batch_of<order> batch;
  auto reads = 1;
  while (reader->read(batch).state != read_result::kind::end) {
    CHECK(bad.rows.size() <= static_cast<std::size_t>(reads) * 1000);
    ++reads;
  }
  CHECK(bad.rows.size() == 10'000);
}

TEST_CASE("long records of which little is read do not hold up the reader's thread") {
  scratch_folder folder;
  std::string text = "id,note,at,rest\n";
  const std::string rest(500'000, 'x');
  for (int i = 0; i < 60; ++i) text += "1,one,2024-01-01T00:00:00Z," + rest + '\n';
  const csv<order> source{.path = folder.file("f.csv", text), .split_bytes = text.size()};
  auto reader = source.open(*source.splits({})->next(), {});
  batch_of<order> batch;
  CHECK(reader->read(batch).state == read_result::kind::more);
  CHECK(batch.size() < 30);
  while (reader->read(batch).state != read_result::kind::end) {
  }
  CHECK(batch.size() == 60);
}
