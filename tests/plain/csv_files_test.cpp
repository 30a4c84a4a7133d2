// Which files a path means, and what becomes of those that cannot be read.
#include "actors/sources/file_list.hpp"
#include "tests/plain/csv_rows.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <thread>

using namespace spillway;
using ints = std::vector<int>;

namespace {

struct pair_row {
  int a = 0, b = 0;
  bool operator==(const pair_row&) const = default;
};
BOOST_DESCRIBE_STRUCT(pair_row, (), (a, b))

/// The column `a` of all rows.
ints read(const csv<pair_row>& source, std::size_t readers = 1) {
  ints all;
  for (const auto& r : rows_of(source, readers)) all.push_back(r.a);
  return all;
}

std::string refused(const scratch_folder& folder, const std::string& path) {
  return error_of(folder.path, [&] { csv<pair_row>{.path = path}.check(); });
}

std::string gzipped(const std::string& text) {
  z_stream z{};
  REQUIRE(deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&z, text.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

std::string zstd_compressed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  auto* const how = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(how, ZSTD_c_checksumFlag, 1);
  out.resize(ZSTD_compress2(how, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(how);
  return out;
}

std::string many_rows(int n) {
  std::string text = "a,b\n";
  for (int i = 0; i < n; ++i) text += std::to_string(i) + ',' + std::to_string(i * 7919 % 1000) + '\n';
  return text;
}

ints up_to(int n) {
  ints all;
  for (int i = 0; i < n; ++i) all.push_back(i);
  return all;
}

}  // namespace

TEST_CASE("a folder is its files in order of their names, without hidden ones, unfinished ones and folders") {
  scratch_folder folder;
  folder.file("2.csv", "b,a\n0,3\n");
  folder.file("1.csv", "a,b\n1,0\n2,0\n");
  folder.file("10.csv", "");
  folder.file(".hidden", "no CSV");
  folder.file("3.csv.part", "no CSV");
  std::filesystem::create_directory(folder.file("deeper"));
  folder.file("deeper/4.csv", "no CSV");
  for (std::size_t readers = 1; readers <= 7; ++readers) {
    CHECK(read({.path = folder.path}, readers) == ints{1, 2, 3});
    CHECK(read({.path = folder.path, .split_bytes = 1}, readers) == ints{1, 2, 3});
  }
  CHECK(refused(folder, folder.path) == "no error");
}

TEST_CASE("a pattern may be in any part of the path") {
  scratch_folder folder;
  for (auto name : {"2023", "2024", "other"}) std::filesystem::create_directory(folder.file(name));
  folder.file("2023/x1.csv", "a,b\n1,0\n");
  folder.file("2024/x1.csv", "a,b\n2,0\n");
  folder.file("2024/x2.csv", "a,b\n3,0\n");
  folder.file("2024/x3.csv.part", "no CSV");
  folder.file("other/x1.csv", "a,b\n9,0\n");
  std::filesystem::create_directory(folder.file("2024/x4.csv"));
  CHECK(read({.path = folder.file("20*/x*")}) == ints{1, 2, 3});
  CHECK(read({.path = folder.file("202?/x[2-9].csv")}) == ints{3});
  CHECK(read({.path = folder.file("*/x1.csv")}) == ints{1, 2, 9});
  folder.file("[1].csv", "a,b\n5,0\n");
  CHECK(read({.path = folder.file("[1].csv")}) == ints{5});
}

TEST_CASE("a path that means no file is an error that says what may have been meant") {
  scratch_folder folder;
  folder.file("flights.csv", "a,b\n");
  std::filesystem::create_directory(folder.file("none"));
  folder.file("none/.hidden", "");
  CHECK(refused(folder, folder.file("fligths.csv")) ==
        "cannot read 'fligths.csv': no such file\n  help: did you mean 'flights.csv'?");
  CHECK(refused(folder, folder.file("fligths*.csv")) ==
        "cannot read 'fligths*.csv': no file matches\n  help: did you mean 'flights.csv'?");
  CHECK(refused(folder, folder.file("no*e")) ==
        "cannot read 'no*e': only folders match\n  help: add /* to read the files in them");
  CHECK(refused(folder, folder.file("none")) ==
        "cannot read 'none': there are no files in this folder\n  help: a folder's files are read, but those that are hidden or "
        "named "
        "*.part");
  if (geteuid() != 0) {
    std::filesystem::permissions(folder.file("none"), std::filesystem::perms::none);
    CHECK(refused(folder, folder.file("none")) ==
          "cannot read 'none': permission denied\n  help: give this user the right to read it");
  }
  std::filesystem::create_symlink(folder.file("gone"), folder.file("none/link"));
  CHECK(refused(folder, folder.file("none")).starts_with("cannot read 'none/link': no such file"));
}

TEST_CASE("an empty file is an error if it is named, and nothing among others") {
  scratch_folder folder;
  const auto path = folder.file("e.csv", "");
  CHECK(refused(folder, path) == "cannot read 'e.csv': it is empty\n  help: the first line of a CSV file names its columns");
  CHECK(refused(folder, folder.path) == "no error");
  CHECK(read({.path = folder.path}, 3) == ints{});
  folder.file("f.csv.gz", gzipped(""));
  folder.file("g.csv", "a,b\n1,2\n");
  folder.file("h.csv", "a,b");
  CHECK(read({.path = folder.path}, 3) == ints{1});
}

TEST_CASE("each file has a header of its own, which is checked when the file is read") {
  scratch_folder folder;
  folder.file("1.csv", "a,b\n1,0\n");
  folder.file("2.csv", "b,c,a\n0,0,2\n");
  CHECK(read({.path = folder.path}) == ints{1, 2});
  folder.file("3.csv", "b,c\n0,0\n");
  CHECK(error_of(folder.path, [&] {
          (void)read({.path = folder.path});
        }).starts_with("3.csv: there is no column 'a', wanted for the member 'a'\n"));
}

TEST_CASE("compressed files are read by their names, also where there are several members") {
  scratch_folder folder;
  const auto text = many_rows(20'000);
  const auto half = text.size() / 2 + 1;
  folder.file("1.csv.gz", gzipped(text));
  folder.file("2.csv.gz", gzipped(text.substr(0, half)) + gzipped("") + gzipped(text.substr(half)));
  folder.file("3.csv.zst", zstd_compressed(text));
  folder.file("4.csv.zst", zstd_compressed(text.substr(0, half)) + zstd_compressed(text.substr(half)));
  for (auto name : {"1.csv.gz", "2.csv.gz", "3.csv.zst", "4.csv.zst"})
    for (std::size_t chunk : {7, 100'000}) {
      CAPTURE(name);
      const csv<pair_row> source{.path = folder.file(name), .chunk = chunk, .split_bytes = 1000};
      source.check();
      CHECK(read_csv(source, 3, false).splits == 1);
      CHECK(read(source, 3) == up_to(20'000));
    }
}

TEST_CASE("a reader of a compressed file goes on where another one was") {
  scratch_folder folder;
  const auto text = many_rows(20'000);
  for (const auto& path : {folder.file("1.csv.gz", gzipped(text)), folder.file("2.csv.zst", zstd_compressed(text))}) {
    const csv<pair_row> source{.path = path};
    const auto s = *source.splits({})->next();
    auto first = source.open(s, {}), second = source.open(s, {});
    batch_of<pair_row> batch;
    (void)first->read(batch);
    (void)first->read(batch);
    second->seek(first->position());
    batch_of<pair_row> a, b;
    (void)first->read(a);
    (void)second->read(b);
    REQUIRE(a.size() > 0);
    CHECK(std::ranges::equal(a.rows(), b.rows()));
  }
}

TEST_CASE("a damaged or cut compressed file is an error with its name") {
  scratch_folder folder;
  const auto text = many_rows(20'000);
  const auto damaged = [](std::string bytes) {
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    return bytes;
  };
  const auto error = [&](const std::string& name, const std::string& bytes) {
    const auto path = folder.file(name, bytes);
    return error_of(folder.path, [&] { (void)read({.path = path}); });
  };
  for (const auto& [name, bytes] : {std::pair{"f.csv.gz", gzipped(text)}, {"f.csv.zst", zstd_compressed(text)}}) {
    const auto prefix = std::string{"cannot read '"} + name + "': ";
    const auto cut = prefix + "it is cut off: the compressed data ends too early\n  help: make or copy the file anew";
    CHECK(error(name, bytes.substr(0, bytes.size() - 1)) == cut);
    CHECK(error(name, bytes.substr(0, bytes.size() / 2)) == cut);
    CHECK(error(name, bytes.substr(0, 3)) == cut);
    CHECK(error(name, bytes + bytes.substr(0, 20)) == cut);
    CHECK(error(name, damaged(bytes)).starts_with(prefix));
    CHECK(error(name, bytes + "more of the same").starts_with(prefix + "it is damaged: "));
    CHECK(error(name, "a,b\n1,2\n").starts_with(prefix + "it is damaged: "));
  }
}

TEST_CASE("a pipe is read as one split, by whoever comes first, and cannot go back") {
  scratch_folder folder;
  const auto path = folder.file("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const csv<pair_row> source{.path = path};
  source.check();
  std::thread writer{[&] {
    const auto text = many_rows(50'000);
    const auto to = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    for (std::size_t at = 0; at < text.size();) {
      const auto did = write(to, text.data() + at, text.size() - at);
      if (did <= 0) break;
      at += static_cast<std::size_t>(did);
    }
    close(to);
  }};
  const auto list = source.splits({});
  CHECK_FALSE(list->total());
  const auto result = read(source, 2);
  writer.join();
  CHECK(result == up_to(50'000));
  CHECK(source.open(*list->next(), {})->position().empty());
}

TEST_CASE("a pipe without bytes does not hold up its reader's thread") {
  scratch_folder folder;
  const auto path = folder.file("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const csv<pair_row> source{.path = path};
  auto reader = source.open(*source.splits({})->next(), {});
  batch_of<pair_row> batch;
  CHECK(reader->read(batch).state == read_result::kind::more);
  CHECK(batch.empty());
}

TEST_CASE("a file that is shorter, replaced or gone when it is read is an error") {
  scratch_folder folder;
  const auto text = many_rows(1000);
  const auto error_after = [&](auto change, std::size_t piece) {
    const csv<pair_row> source{.path = folder.file("f.csv", text), .split_bytes = piece};
    const auto list = source.splits({});
    const auto first = list->next();
    auto reader = source.open(*first, {});
    change(source.path);
    return error_of(folder.path, [&] {
      for (;;) {
        batch_of<pair_row> batch;
        while (reader->read(batch).state != read_result::kind::end) batch.set_size(0);
        const auto next = list->next();
        if (!next) break;
        reader = source.open(*next, {});
      }
    });
  };
  const auto size = std::to_string(text.size());
  const auto shorter = "cannot read 'f.csv': it has fewer than the " + size +
                       " bytes that it had when the job found it\n"
                       "  help: give a file its name when it is whole, and write new ones beside it";
  const auto another =
      "cannot read 'f.csv': another file was given its name while the job read it\n"
      "  help: give a file its name when it is whole, and write new ones beside it";
  const auto shrink = [&](const std::string& path) { std::filesystem::resize_file(path, text.size() / 2); };
  const auto replace = [&](const std::string& path) { std::filesystem::rename(folder.file("new.csv", text), path); };
  for (std::size_t piece : {100, 1000}) {
    CHECK(error_after(shrink, piece) == shorter);
    CHECK(error_after(replace, piece) == another);
    CHECK(error_after([](const std::string& path) { std::filesystem::remove(path); }, piece)
              .starts_with("cannot read 'f.csv': no such file"));
  }
  // The reader of the whole file has it open already.
  const csv<pair_row> source{.path = folder.file("f.csv", text), .chunk = 1000};
  auto reader = source.open(*source.splits({})->next(), {});
  shrink(source.path);
  batch_of<pair_row> batch;
  CHECK(error_of(folder.path, [&] { (void)reader->read(batch); }) == shorter);
}

TEST_CASE("a file that grows is read to where the last record ends that had begun") {
  scratch_folder folder;
  const auto grown = [&](const std::string& text, const std::string& more) {
    const csv<pair_row> source{.path = folder.file("f.csv", text)};
    const auto s = *source.splits({})->next();
    folder.file("f.csv", text + more);
    ints all;
    auto reader = source.open(s, {});
    batch_of<pair_row> batch;
    while (reader->read(batch).state != read_result::kind::end) {
    }
    for (const auto& r : batch.rows()) all.push_back(r.b);
    return all;
  };
  CHECK(grown("a,b\n1,1\n", "2,2\n") == ints{1});
  CHECK(grown("a,b\n1,1\n2,", "2\n3,3\n") == ints{1, 2});
  CHECK(grown("a,b\n1,1\n2,2", "2\n3,3\n") == ints{1, 22});
}
