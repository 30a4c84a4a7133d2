#include "actors/sinks/to_csv_parts.hpp"
#include "actors/sinks/to_jsonl_parts.hpp"
#include "messages/errors.hpp"
#include "tests/plain/cases.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>
#include <thread>

using namespace spillway;
using namespace std::chrono_literals;
namespace fs = std::filesystem;
using files = std::map<std::string, std::string>;

namespace {

files in(const std::string& folder) {
  files all;
  for (const auto& entry : fs::directory_iterator{folder})
    all[entry.path().filename().string()] = text_of_file(entry.path().string());
  return all;
}

template <class T>
void write_rows(sink_writer<T>& writer, const std::vector<T>& rows) {
  batch_of<T> batch;
  for (const auto& row : rows) batch.push(row);
  writer.write(batch);
}

std::vector<int> count_to(int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}

std::string error_of(auto f) {
  try {
    f();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "no error";
}

const sink_context with_checkpoints{.step = "out", .subtask = 0, .parallelism = 1, .columns = {}, .checkpoints = true};

}  // namespace

TEST_CASE("each subtask writes parts of its own, which appear as a whole when they end") {
  const scratch_folder scratch;
  const auto folder = scratch.file("new/out");
  const to_csv_parts sink{.folder = folder, .roll = {.rows = 2}};
  const auto first = sink.open<int>({.step = "out", .columns = {"n"}});
  const auto second = sink.open<int>({.step = "out", .subtask = 1, .columns = {"n"}});
  const auto third = sink.open<int>({.step = "out", .subtask = 2, .columns = {"n"}});
  write_rows(*first, count_to(5));
  write_rows(*second, {7});
  second->flush();
  CHECK(in(folder) == files{{"part-0-1.csv", "n\n0\n1\n"},
                            {"part-0-2.csv", "n\n2\n3\n"},
                            {"part-0-3.csv.part", ""},
                            {"part-1-1.csv.part", "n\n7\n"}});
  for (auto* writer : {first.get(), second.get(), third.get()}) writer->close();
  CHECK(in(folder) == files{{"part-0-1.csv", "n\n0\n1\n"},
                            {"part-0-2.csv", "n\n2\n3\n"},
                            {"part-0-3.csv", "n\n4\n"},
                            {"part-1-1.csv", "n\n7\n"}});
}

TEST_CASE("JSON parts have the same names but for their ending, and no header") {
  const scratch_folder folder;
  const auto writer = to_jsonl_parts{.folder = folder.path, .roll = {.rows = 2}}.open<int>({.step = "out", .subtask = 3});
  write_rows(*writer, count_to(3));
  writer->close();
  CHECK(in(folder.path) == files{{"part-3-1.jsonl", "{\"value\":0}\n{\"value\":1}\n"}, {"part-3-2.jsonl", "{\"value\":2}\n"}});
}

TEST_CASE("a part ends after so many bytes, looked at after each batch") {
  const scratch_folder folder;
  const auto writer = to_csv_parts{.folder = folder.path, .roll = {.bytes = 10}}.open<int>({.step = "out", .columns = {"n"}});
  for (int i = 0; i < 6; ++i) write_rows(*writer, {i, i});
  writer->close();
  CHECK(in(folder.path) ==
        files{{"part-0-1.csv", "n\n0\n0\n1\n1\n"}, {"part-0-2.csv", "n\n2\n2\n3\n3\n"}, {"part-0-3.csv", "n\n4\n4\n5\n5\n"}});
}

TEST_CASE("a part ends when its first row is so old, with the next row or when none comes") {
  const scratch_folder folder;
  std::chrono::steady_clock::time_point now{};
  detail::part_files parts{folder.path, ".txt", {.every = 10s}, {.step = "out", .columns = {}}, [&] { return now; }};
  const auto add = [&](const char* row) {
    parts.text() += row;
    parts.wrote(1);
  };
  add("a");
  now += 9s;
  add("b");
  now += 1s;
  add("c");
  CHECK(in(folder.path) == files{{"part-0-1.txt", "abc"}});
  now += 1h;
  add("d");
  parts.flush();
  CHECK(in(folder.path) == files{{"part-0-1.txt", "abc"}, {"part-0-2.txt.part", "d"}});
  now += 10s;
  parts.flush();
  CHECK(in(folder.path) == files{{"part-0-1.txt", "abc"}, {"part-0-2.txt", "d"}});
}

TEST_CASE("with checkpoints a part appears by commit, once, and twice does no harm") {
  const scratch_folder folder;
  const to_csv_parts sink{.folder = folder.path, .roll = {.rows = 2}};
  const auto writer = sink.open<int>(with_checkpoints);
  CHECK(writer->prepare().empty());
  write_rows(*writer, count_to(3));
  const auto token = writer->prepare();
  CHECK(in(folder.path) == files{{"part-0-1.csv.pending.part", "value\n0\n1\n"}, {"part-0-2.csv.pending.part", "value\n2\n"}});
  write_rows(*writer, {9});
  const auto next = writer->prepare();
  writer->commit(token);
  const files committed{
      {"part-0-1.csv", "value\n0\n1\n"}, {"part-0-2.csv", "value\n2\n"}, {"part-0-3.csv.pending.part", "value\n9\n"}};
  CHECK(in(folder.path) == committed);
  writer->commit(token);
  CHECK(in(folder.path) == committed);
  CHECK(writer->prepare().empty());
  writer->commit({});
  writer->close();
  CHECK(in(folder.path) == committed);
  writer->commit(next);
  CHECK(in(folder.path).contains("part-0-3.csv"));
}

TEST_CASE("a later writer commits what one before it has prepared, and leaves alone what was not committed") {
  const scratch_folder folder;
  const to_csv_parts sink{.folder = folder.path};
  commit_token token;
  {
    const auto killed = sink.open<int>(with_checkpoints);
    write_rows(*killed, {1});
    token = killed->prepare();
    write_rows(*killed, {2});
    (void)killed->prepare();
    write_rows(*killed, {3});
    killed->flush();
  }
  const auto writer = sink.open<int>(with_checkpoints);
  writer->commit(token);
  write_rows(*writer, {4});
  writer->close();
  CHECK(in(folder.path) ==
        files{{"part-0-1.csv", "value\n1\n"}, {"part-0-2.csv.pending.part", "value\n2\n"}, {"part-0-3.csv", "value\n4\n"}});
}

TEST_CASE("numbers go on behind the highest there, so that no file is replaced") {
  const scratch_folder folder;
  (void)folder.file("part-0-7.csv", "before");
  (void)folder.file("part-0-9.csv.part", "left by a killed program");
  (void)folder.file("part-0-8.csv.pending.part", "also");
  (void)folder.file("part-1-30.csv", "of another subtask");
  (void)folder.file("part-0-x.csv", "");
  (void)folder.file("part-0-", "");
  auto expected = in(folder.path);
  const auto writer = to_csv_parts{.folder = folder.path}.open<int>({.step = "out"});
  write_rows(*writer, {1});
  writer->close();
  expected["part-0-10.csv"] = "value\n1\n";
  CHECK(in(folder.path) == expected);
}

TEST_CASE("two jobs in one folder do not replace each other's parts") {
  const scratch_folder folder;
  const to_csv_parts sink{.folder = folder.path, .roll = {.rows = 1}};
  std::vector<std::thread> jobs;
  for (int job = 0; job < 2; ++job)
    jobs.emplace_back([&sink] {
      const auto writer = sink.open<int>({.step = "out"});
      for (int i = 0; i < 50; ++i) write_rows(*writer, {i});
    });
  for (auto& j : jobs) j.join();
  std::map<std::string, int> times;
  for (const auto& [name, text] : in(folder.path)) ++times[text];
  CHECK(times.size() == 50);
  for (const auto& row : times) CHECK_MESSAGE(row.second == 2, row.first);
}

TEST_CASE("what is not closed leaves no part, and what cannot be written is an error with its path") {
  const scratch_folder folder;
  {
    const auto writer = to_csv_parts{.folder = folder.path}.open<int>({.step = "out"});
    write_rows(*writer, {1});
    writer->flush();
    CHECK(in(folder.path).size() == 1);
  }
  CHECK(in(folder.path).empty());
  (void)folder.file("file", "");
  CHECK(error_of([&] {
          (void)to_csv_parts{.folder = folder.file("file")}.open<int>({.step = "out"});
        }).starts_with("cannot write '" + folder.file("file") + "': "));
  CHECK_THROWS_AS((void)to_csv_parts{}.open<int>({.step = "out"}), pipeline_error);
  const auto out = folder.file("out");
  const auto writer = to_csv_parts{.folder = out}.open<int>(with_checkpoints);
  write_rows(*writer, {1});
  const auto token = writer->prepare();
  fs::remove(out + "/part-0-1.csv.pending.part");
  CHECK(error_of([&] { writer->commit(token); }) == "cannot write '" + out +
                                                        "/part-0-1.csv': No such file or directory\n"
                                                        "  help: leave the files of a folder alone while a job writes to it");
}

TEST_CASE("whenever a writer is killed, what was committed is there once, however it was prepared and rolled") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 bits{seed};
    const scratch_folder folder;
    const to_csv_parts sink{.folder = folder.path, .roll = {.rows = 1 + bits() % 4}};
    std::vector<int> safe;
    int next = 0;
    commit_token token;
    for (int attempt = 0; attempt < 4; ++attempt) {
      const auto writer = sink.open<int>(with_checkpoints);
      writer->commit(token);
      std::vector<int> since;
      for (auto steps = bits() % 12; steps > 0; --steps) {
        if (bits() % 3 != 0) {
          std::vector<int> rows;
          for (auto n = 1 + bits() % 5; n > 0; --n) rows.push_back(next++);
          write_rows(*writer, rows);
          since.insert(since.end(), rows.begin(), rows.end());
        } else {
          // A checkpoint that completes, and is perhaps not heard of.
          token = writer->prepare();
          safe.insert(safe.end(), since.begin(), since.end());
          since.clear();
          if (bits() % 2 == 0) break;
          writer->commit(token);
        }
      }
    }
    sink.open<int>(with_checkpoints)->commit(token);
    std::vector<int> found;
    for (const auto& [name, text] : in(folder.path)) {
      if (name.ends_with(".part")) continue;
      for (const auto& line : lines_of_file(folder.file(name)))
        if (line != "value") found.push_back(std::stoi(line));
    }
    std::sort(found.begin(), found.end());
    CHECK(found == safe);
  }
}
