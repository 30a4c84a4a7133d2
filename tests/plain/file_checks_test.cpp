#include "actors/file_checks.hpp"

#include "actors/pipeline.hpp"
#include "tests/plain/cases.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>

using namespace spillway;

namespace {

struct row {
  int x = 0;
};
BOOST_DESCRIBE_STRUCT(row, (), (x))

/// The error of a job that reads `in` and writes `outs`; "" if there is none.
std::string refusal_of(const std::string& in, const std::vector<std::string>& outs) {
  pipeline p;
  auto rows = p.read("in", csv<row>{.path = in});
  for (const auto& out : outs) rows.write("out " + std::to_string(&out - outs.data()), to_csv{out});
  try {
    check_files(p.graph());
  } catch (const pipeline_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a job may not write the file that it reads, whatever it is called") {
  const scratch_folder folder;
  const auto in = folder.file("in.csv", "x\n1\n"), link = folder.file("link"), other = folder.file("other.csv");
  std::filesystem::create_symlink(in, link);
  const auto refused = [&](const std::string& out) {
    return refusal_of(in, {out}) == "step 'out 0' cannot write '" + out + "': step 'in' reads it\n  help: write to another file";
  };
  CHECK(refused(in));
  CHECK(refused(link));
  CHECK(refused(folder.file("./in.csv")));
  CHECK(refusal_of(link, {in}) != "");
  CHECK(refusal_of(in, {other}) == "");
}

TEST_CASE("a job may not read what a file is called until it is whole") {
  const scratch_folder folder;
  const auto in = folder.file("x.csv.part", "x\n1\n"), out = folder.file("x.csv");
  CHECK(refusal_of(in, {out}) == "step 'out 0' cannot write '" + out + "': step 'in' reads '" + in +
                                     "', which is its name until it is whole\n  help: write to another file");
}

TEST_CASE("two sinks may not write one file, be it there or not") {
  const scratch_folder folder;
  const auto in = folder.file("in.csv", "x\n1\n"), there = folder.file("there.csv", ""), link = folder.file("link"),
             pipe = folder.file("pipe");
  std::filesystem::create_symlink("none.csv", link);
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto refused = [&](const std::string& a, const std::string& b) {
    return refusal_of(in, {a, b}) ==
           "step 'out 0' cannot write '" + a + "': step 'out 1' writes it too\n  help: write to another file";
  };
  CHECK(refused(there, there));
  CHECK(refused(there, folder.file("new/../there.csv")));
  CHECK(refused(folder.file("none.csv"), folder.file("none.csv")));
  CHECK(refused(folder.file("none.csv"), link));
  CHECK(refused(folder.file("a/none.csv"), folder.file("a/./none.csv")));
  CHECK(refused(pipe, pipe));
  CHECK(refusal_of(in, {there, folder.file("none.csv"), folder.file("a/none.csv")}) == "");
}

TEST_CASE("any number of sinks may write to a device") {
  const scratch_folder folder;
  CHECK(refusal_of(folder.file("in.csv", "x\n1\n"), {"/dev/null", "/dev/null"}) == "");
}

TEST_CASE("a sink whose file is a folder is refused") {
  const scratch_folder folder;
  std::filesystem::create_directories(folder.file("f"));
  CHECK(refusal_of(folder.file("in.csv", "x\n1\n"), {folder.file("f")}) ==
        "step 'out 0' cannot write '" + folder.file("f") + "': it is a folder\n  help: name a file");
}

TEST_CASE("a file that is whole only when a stream ends that never does is told") {
  const scratch_folder folder;
  pipeline p;
  const auto for_ever = p.read("for ever", generate_forever([](std::uint64_t i) { return i; }));
  for_ever.map("same", [](std::uint64_t i) { return i; }).write("a file", to_csv{folder.file("out.csv")});
  for_ever.write("a device", to_csv{"/dev/null"});
  p.read("some", from(std::vector{1, 2})).write("another", to_csv{folder.file("other.csv")});
  const auto told = endless_files(p.graph());
  REQUIRE(told.size() == 1);
  CHECK(told[0].first == "a file");
  CHECK(told[0].second.starts_with("'" + folder.file("out.csv") + "' gets its name when its rows end, and they never do"));
}
