#include "fixed_width/sink.hpp"
#include "fixed_width/source.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace {

/// A folder that is gone afterwards.
struct folder {
  folder() { fs::create_directories(path); }
  ~folder() { fs::remove_all(path); }
  fs::path path = fs::temp_directory_path() / ("fixed_width_test_" + std::to_string(getpid()));
};

std::string record(int i) {
  std::array<char, 400> text;
  std::snprintf(text.data(), text.size(), "K%03d%6.1f %04d\n", i % 1000, i / 10.0, 2000 + i % 3);
  return text.data();
}

std::string records(int n, int bad = -1) {
  std::string all;
  for (int i = 0; i < n; ++i) all += i == bad ? "KBAD  twelve 01\n" : record(i);
  return all;
}

fs::path written(const fs::path& file, const std::string& text) {
  std::ofstream{file, std::ios::binary} << text;
  return file;
}

std::string text_of_file(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream{file, std::ios::binary}.rdbuf();
  return text.str();
}

const sw::side<sw::bad_row> refused{"refused"};

}  // namespace

TEST_CASE("a source of one's own is read whole at any parallelism, and a sink of one's own writes it back byte by byte") {
  const folder here;
  const auto text = records(5000);
  const auto in = written(here.path / "in", text);
  for (std::uint32_t p : {1u, 3u, 8u}) {
    sw::pipeline pipe;
    pipe.read(fixed_width{in}).parallelism(p).write(to_fixed_width{here.path / "out"});
    sw::run(pipe);
    std::multiset<std::string> want, got;
    const auto out = text_of_file(here.path / "out");
    REQUIRE(out.size() == text.size());
    for (std::size_t at = 0; at < text.size(); at += record_bytes)
      want.insert(text.substr(at, 16)), got.insert(out.substr(at, 16));
    CHECK(got == want);
    if (p == 1) CHECK(out == text);
    CHECK_FALSE(fs::exists(here.path / "out.part"));
  }
}

TEST_CASE("a reader of one's own goes on at every position it gave") {
  const folder here;
  const auto in = written(here.path / "in", records(7));
  const auto read_from = [&](sw::source_position at) {
    fixed_width_reader reader{in, 0, 7, sw::bad_row_port::strict()};
    if (!at.empty()) reader.seek(at);
    sw::batch_of<reading> rows;
    while (reader.read(rows).state != sw::read_result::kind::end) continue;
    CHECK(reader.position() == sw::saved::of(std::uint64_t{7}));
    return rows.size();
  };
  CHECK(read_from({}) == 7);
  for (std::uint64_t n = 0; n <= 7; ++n) CHECK(read_from(sw::saved::of(n)) == 7 - n);
}

TEST_CASE("a record of one's own source that is no row fails the job naming it, or is set aside") {
  const folder here;
  const auto in = written(here.path / "in", records(100, 60));
  std::vector<reading> rows;
  sw::pipeline strict;
  strict.read("readings", fixed_width{in}).write(sw::to_vector{rows});
  try {
    sw::run(strict);
    FAIL("it did not fail");
  } catch (const sw::job_failed& e) {
    const std::string what = e.what();
    CHECK(what.find("step 'readings'") != what.npos);
    CHECK(what.find("record 60: KBAD  twelve 01 is not a number") != what.npos);
  }
  rows.clear();
  std::vector<sw::bad_row> bad;
  sw::pipeline lenient;
  auto all = lenient.read("readings", fixed_width{in, sw::bad_rows::set_aside(refused)}).parallelism(3);
  all.write("good", sw::to_vector{rows});
  all.side(refused).write("bad", sw::to_vector{bad});
  sw::run(lenient);
  CHECK(rows.size() == 99);
  REQUIRE(bad.size() == 1);
  CHECK((bad[0].step == "readings" && bad[0].text == "KBAD  twelve 01" && bad[0].reason == "is not a number"));
  CHECK(bad[0].place == in.string() + ", record 60");
}
