#include "actors/sinks/to_callback.hpp"
#include "actors/sinks/to_csv.hpp"
#include "actors/sinks/to_stdout.hpp"
#include "actors/sinks/to_vector.hpp"

#include "messages/keyed.hpp"
#include "tests/plain/cases.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <limits>
#include <thread>

using namespace spillway;
namespace fs = std::filesystem;

namespace {

struct summary {
  std::int64_t flights = 0;
  double mean_delay = 0;
  std::optional<std::string> note;
};
BOOST_DESCRIBE_STRUCT(summary, (), (flights, mean_delay, note))
using result = keyed<std::string, summary>;

const sink_context by_origin{.step = "out", .columns = {"origin", "flights", "mean_delay", "note"}};

template <class T>
void write_rows(sink_writer<T>& writer, const std::vector<T>& rows) {
  batch_of<T> batch;
  for (const auto& row : rows) batch.push(row);
  writer.write(batch);
}

std::string error_of(auto f) {
  try {
    f();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "no error";
}

/// What a printer writes for these batches.
std::string printed(print_form as, const std::vector<std::vector<result>>& batches) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::tmpfile(), &std::fclose};
  auto writer = detail::open_printer<result>(file.get(), as, by_origin);
  for (const auto& rows : batches) write_rows(*writer, rows);
  writer->close();
  std::string text(static_cast<std::size_t>(std::ftell(file.get())), ' ');
  std::rewind(file.get());
  CHECK(std::fread(text.data(), 1, text.size(), file.get()) == text.size());
  return text;
}

}  // namespace

TEST_CASE("to_vector appends, also to a vector that the caller owns") {
  auto rows = std::make_shared<std::vector<int>>();
  to_vector sink{rows};
  auto writer = sink.open<int>({});
  write_rows<int>(*writer, {1, 2});
  write_rows<int>(*writer, {3});
  CHECK(*rows == std::vector{1, 2, 3});

  std::vector<std::string> own{"a"};
  write_rows<std::string>(*to_vector(own).open<std::string>({}), {"b"});
  CHECK(own == std::vector<std::string>{"a", "b"});
}

TEST_CASE("several writers share one vector") {
  std::vector<int> rows;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([writer = to_vector{rows}.open<int>({})] {
      for (int i = 0; i < 100; ++i) write_rows<int>(*writer, {i, i});
    });
  for (auto& t : threads) t.join();
  CHECK(rows.size() == 800);
}

TEST_CASE("to_callback calls for each row or for each batch") {
  std::vector<int> seen;
  auto by_row = to_callback{[&](const auto& row) { seen.push_back(row); }}.open<int>({});
  write_rows<int>(*by_row, {1, 2});
  auto by_batch = to_callback{[&](std::span<const int> rows) { seen.push_back(static_cast<int>(rows.size())); }}.open<int>({});
  write_rows<int>(*by_batch, {7, 8, 9});
  CHECK(seen == std::vector{1, 2, 3});
}

TEST_CASE("to_csv writes a file with the names of the pipeline, quotes only where needed") {
  scratch_folder folder;
  const auto path = folder.file("new/deep/by_origin.csv");
  auto writer = to_csv{path}.open<result>(by_origin);
  write_rows<result>(*writer, {{"MCI", {3, 2.5, {}}}, {"a,b", {1, 100000, ""}}, {"say \"hi\"", {1, 1.0 / 3, " x "}}});
  CHECK_FALSE(fs::exists(path));
  writer->close();
  CHECK(text_of_file(path) ==
        "origin,flights,mean_delay,note\n"
        "MCI,3,2.5,\n"
        "\"a,b\",1,100000,\"\"\n"
        "\"say \"\"hi\"\"\",1,0.3333333333333333, x \n");
  CHECK_FALSE(fs::exists(path + ".part"));
}

TEST_CASE("a file that was not closed is not there, and the one before it still is") {
  scratch_folder folder;
  const auto path = folder.file("x.csv", "before");
  {
    auto writer = to_csv{path}.open<int>({});
    write_rows<int>(*writer, {1, 2});
    writer->flush();
    CHECK(text_of_file(path + ".part") == "value\n1\n2\n");
  }
  CHECK(text_of_file(path) == "before");
  CHECK_FALSE(fs::exists(path + ".part"));
  to_csv{path}.open<int>({})->close();
  CHECK(text_of_file(path) == "value\n");
}

TEST_CASE("what cannot be written is an error with path, cause and remedy") {
  scratch_folder folder;
  folder.file("file", "");
  CHECK(error_of([&] { to_csv{folder.path}.open<int>({}); }) ==
        "cannot write '" + folder.path + "': it is a folder\n  help: name a file");
  CHECK(error_of([&] { to_csv{folder.file("file/x.csv")}.open<int>({}); }) ==
        "cannot write '" + folder.file("file/x.csv") +
            "': Not a directory\n  help: a part of the path is a file where a folder is needed");
  fs::create_symlink("/dev/full", folder.file("full.csv.part"));
  auto writer = to_csv{folder.file("full.csv")}.open<int>({});
  write_rows<int>(*writer, {1});
  CHECK(error_of([&] { writer->close(); }) == "cannot write '" + folder.file("full.csv") +
                                                  "': No space left on device\n"
                                                  "  help: free some space on that disk, or write to another");
  writer.reset();
  CHECK_FALSE(fs::exists(folder.file("full.csv")));
}

TEST_CASE("a table is aligned by its first rows, numbers on the right") {
  CHECK(printed(print_form::table, {{{"MCI", {3, 2.5, {}}}, {"Köln", {12345, -1e-7, "two\nlines"}}}, {{"X", {1, 1e20, "z"}}}}) ==
        "origin  flights  mean_delay  note\n"
        "MCI           3      2.5000\n"
        "Köln      12345      -1e-07  two\\nlines\n"
        "X             1       1e+20  z\n");
  CHECK(printed(print_form::table, {}) == "origin  flights  mean_delay  note\n");
  const std::vector<result> many(700, {"MCI", {1, 0, {}}});
  const auto text = printed(print_form::table, {many, many, {{"a long name", {1, 0, {}}}}});
  CHECK(std::count(text.begin(), text.end(), '\n') == 1402);
  CHECK(text.ends_with("MCI           1      0.0000\na long name        1      0.0000\n"));
}

TEST_CASE("lines are CSV as it comes") {
  CHECK(printed(lines, {{{"MCI", {3, 2.5, {}}}}, {{"a,b", {1, 0.1, ""}}}}) ==
        "origin,flights,mean_delay,note\nMCI,3,2.5,\n\"a,b\",1,0.1,\"\"\n");
}
