#include "actors/sources/jsonl.hpp"
#include "tests/plain/cases.hpp"
#include "tests/plain/json_cases.hpp"

#include <doctest/doctest.h>

#include <zlib.h>

#include <random>

using namespace spillway;

namespace {

struct numbered {
  int n = 0;
  std::string text;
  bool operator==(const numbered&) const = default;
};
BOOST_DESCRIBE_STRUCT(numbered, (), (n, text))

/// A file with good and bad lines, and what is to come of it.
struct random_lines {
  explicit random_lines(std::uint64_t seed) : bits(seed) {
    if (one_of(3) == 0) text = "\xef\xbb\xbf";
    const auto lines = one_of(60);
    for (std::size_t i = 1; i <= lines; ++i) {
      add_line(i);
      if (i < lines || one_of(2) == 0) text += one_of(3) == 0 ? "\r\n" : "\n";
    }
  }

  void add_line(std::size_t i) {
    const auto letters = std::string(one_of(one_of(4) == 0 ? 300 : 20), 'x');
    const auto row = R"({"n":)" + std::to_string(i) + R"(,"text":")" + letters + "\"}";
    switch (one_of(10)) {
      case 0:
        return void(text += one_of(2) == 0 ? "" : "  \t");
      case 1:
        text += row + "]";
        break;
      case 2:
        text += R"({"n":1,"text":"\xff"})";
        text.replace(text.rfind("\\xff"), 4, "\xff");
        break;
      case 3:
        text += R"({"n":1,"text":"open)";
        break;
      default:
        text += row;
        if (row.size() > max_record) break;
        rows.push_back({static_cast<int>(i), letters});
        return;
    }
    bad.push_back(i);
  }

  std::size_t one_of(std::size_t n) { return static_cast<std::size_t>(bits() % n); }

  static constexpr std::size_t max_record = 200;
  std::mt19937_64 bits;
  std::string text;
  std::vector<numbered> rows;
  /// The numbers of bad lines.
  std::vector<std::size_t> bad;
};

struct numbers_of_refused final : bad_row_port {
  void refuse(bad_row row, std::string_view) override {
    const auto at = row.place.rfind("jsonl:");
    REQUIRE(at != std::string::npos);
    lines.push_back(std::stoul(row.place.substr(at + 6)));
  }
  std::vector<std::size_t> lines;
};

}  // namespace

TEST_CASE("rows and the numbers of bad lines are the same however a file is cut and read") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    random_lines lines{seed};
    const scratch_folder folder;
    const auto path = folder.file("f.jsonl", lines.text);
    for (const std::size_t piece : {lines.one_of(30) + 1, lines.one_of(2000) + 1, std::size_t{1} << 30}) {
      const auto chunk = lines.one_of(2) == 0 ? lines.one_of(50) + 1 : 4096;
      CAPTURE(piece);
      CAPTURE(chunk);
      numbers_of_refused refused;
      const auto rows = rows_of(
          jsonl<numbered>{.path = path, .max_record = random_lines::max_record, .chunk = chunk, .split_bytes = piece}, refused);
      CHECK(rows == lines.rows);
      CHECK(refused.lines == lines.bad);
    }
  }
}

TEST_CASE("a reader goes on at the position of another, with the same rows and line numbers") {
  for (std::uint64_t seed = 100; seed < 160; ++seed) {
    CAPTURE(seed);
    random_lines lines{seed};
    const scratch_folder folder;
    const jsonl<numbered> source{.path = folder.file("f.jsonl", lines.text),
                                 .max_record = random_lines::max_record,
                                 .chunk = 64,
                                 .split_bytes = lines.one_of(2000) + 1};
    const auto all = source.splits({});
    for (auto s = all->next(); s; s = all->next()) {
      numbers_of_refused whole, first, second;
      source_context context;
      context.bad = &whole;
      const auto expected = rest_of(*source.open(*s, context));
      context.bad = &first;
      auto reader = source.open(*s, context);
      std::vector<numbered> rows;
      source_position at = reader->position();
      for (auto reads = lines.one_of(4); reads > 0; --reads) {
        batch_of<numbered> batch;
        // Nearly full, so that it comes back after a few rows.
        batch.set_size(batch_of<numbered>::capacity - 1 - lines.one_of(5), 0);
        const auto before = batch.size();
        (void)reader->read(batch);
        rows.insert(rows.end(), batch.rows().begin() + static_cast<std::ptrdiff_t>(before), batch.rows().end());
        at = reader->position();
      }
      context.bad = &second;
      reader = source.open(*s, context);
      reader->seek(at);
      const auto more = rest_of(*reader);
      rows.insert(rows.end(), more.begin(), more.end());
      CHECK(rows == expected);
      first.lines.insert(first.lines.end(), second.lines.begin(), second.lines.end());
      CHECK(first.lines == whole.lines);
    }
  }
}

TEST_CASE("the pieces of all files of a folder are read, compressed ones as a whole") {
  const scratch_folder folder;
  (void)folder.file("a.jsonl", R"({"n":1,"text":"a"})");
  (void)folder.file("b.jsonl", "");
  const auto packed = gzopen(folder.file("c.jsonl.gz").c_str(), "wb");
  gzputs(packed, "{\"n\":2,\"text\":\"b\"}\n{\"n\":3,\"text\":\"c\"}\n");
  gzclose(packed);
  (void)folder.file("d.jsonl.part", "no JSON");
  const jsonl<numbered> source{.path = folder.path, .split_bytes = 5};
  CHECK(rows_of(source) == std::vector<numbered>{{1, "a"}, {2, "b"}, {3, "c"}});
  const auto all = source.splits({});
  std::uint64_t listed = 0;
  for (auto s = all->next(); s; s = all->next()) listed += s->size.value();
  CHECK(listed == all->total());
}

TEST_CASE("a reader comes back from many bad lines, and from long stretches without a line") {
  const scratch_folder folder;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "no JSON\n";
  const jsonl<numbered> source{.path = folder.file("f.jsonl", text)};
  seen_refusals seen;
  source_context context;
  context.bad = &seen;
  const auto reader = source.open(*source.splits(context)->next(), context);
  batch_of<numbered> batch;
  CHECK(reader->read(batch).state == read_result::kind::more);
  CHECK(seen.count == 1000);
}
