#include "../plain/cases.hpp"

#include <spillway.hpp>

#include <algorithm>
#include <optional>

namespace sw = spillway;

namespace {

template <class K>
struct kv {
  K k{};
  std::int64_t v = 0;
  BOOST_DESCRIBE_CLASS(kv, (), (k, v), (), ())
};

using null_or_text = std::optional<std::string>;
using lines = std::vector<std::string>;

scratch_folder& scratch() {
  static scratch_folder folder;
  return folder;
}

/// The file's sums by `k`, as lines of CSV in order.
template <class K>
lines sums(const std::string& file, std::uint32_t parallelism) {
  const auto out = scratch().file("sums.csv");
  sw::pipeline p;
  p.read(sw::csv<kv<K>>{.path = file}).key_by(&kv<K>::k).aggregate("sum", sw::sum(&kv<K>::v)).write(sw::to_csv{out});
  sw::options how;
  how.parallelism = parallelism;
  REQUIRE(sw::run(p, how) == sw::job_phase::finished);
  auto all = lines_of_file(out);
  REQUIRE(!all.empty());
  std::sort(all.begin() + 1, all.end());
  return all;
}

/// The key of each sum as it is in memory, sorted.
template <class K>
std::vector<K> keys(const std::string& file, std::uint32_t parallelism) {
  std::vector<sw::keyed<K, std::int64_t>> rows;
  sw::pipeline p;
  p.read(sw::csv<kv<K>>{.path = file}).key_by(&kv<K>::k).aggregate(sw::sum(&kv<K>::v)).write(sw::to_vector{rows});
  sw::options how;
  how.parallelism = parallelism;
  REQUIRE(sw::run(p, how) == sw::job_phase::finished);
  std::vector<K> all;
  for (const auto& r : rows) all.push_back(r.key);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("a null key is a group of its own where the key may be null") {
  for (const std::uint32_t parallelism : {1, 4}) {
    CHECK(sums<null_or_text>(case_file("c31-null-keys.csv"), parallelism) == lines{"k,sum", " ,4", "\"\",2", ",6", "a,3"});
    CHECK(keys<null_or_text>(case_file("c31-null-keys.csv"), parallelism) ==
          std::vector<null_or_text>{std::nullopt, "", " ", "a"});
  }
}

TEST_CASE("a key that cannot be null takes an empty cell as empty text") {
  for (const std::uint32_t parallelism : {1, 4}) {
    CHECK(sums<std::string>(case_file("c31-null-keys.csv"), parallelism) == lines{"k,sum", " ,4", "\"\",8", "a,3"});
    CHECK(keys<std::string>(case_file("c31-null-keys.csv"), parallelism) == lines{"", " ", "a"});
  }
}

TEST_CASE("sums by a null key can be read again") {
  const auto first = sums<null_or_text>(case_file("c31-null-keys.csv"), 4);
  auto text = std::string{"k,v\n"};
  for (auto line = first.begin() + 1; line != first.end(); ++line) text += *line + "\n";
  CHECK(sums<null_or_text>(scratch().file("again.csv", text), 4) == first);
}

TEST_CASE("a file in which all keys are null ends, with one sum") {
  std::string text = "k,v\n";
  for (int i = 1; i <= 10'000; ++i) text += ',' + std::to_string(i) + '\n';
  const auto file = scratch().file("all-null.csv", text);
  for (const std::uint32_t parallelism : {1, 4}) {
    CHECK(sums<null_or_text>(file, parallelism) == lines{"k,sum", ",50005000"});
    CHECK(sums<std::string>(file, parallelism) == lines{"k,sum", "\"\",50005000"});
  }
}

TEST_CASE("a number that is null is a key too") {
  const auto file = scratch().file("numbers.csv", "k,v\n0,1\n,2\n-0,4\n,8\n");
  for (const std::uint32_t parallelism : {1, 4})
    CHECK(sums<std::optional<std::int64_t>>(file, parallelism) == lines{"k,sum", ",10", "0,5"});
}
