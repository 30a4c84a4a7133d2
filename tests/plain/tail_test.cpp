#include "actors/sources/tail.hpp"

#include "actors/sources/tail_jsonl.hpp"
#include "tests/plain/tail_rig.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;
using texts = std::vector<std::string>;

namespace {

struct note {
  int id = 0;
  std::string text;
  friend bool operator==(const note&, const note&) = default;
};
BOOST_DESCRIBE_STRUCT(note, (), (id, text))

std::ostream& operator<<(std::ostream& out, const note& n) { return out << n.id << ' ' << n.text; }

using notes = std::vector<note>;

const std::string small = "id,text\n1,a\r\n2,\"b\nb\"\n3,\"c\"\"\r\n,\"\n\n4,d\n";
const notes small_rows{{1, "a"}, {2, "b\nb"}, {3, "c\"\r\n,"}, {4, "d"}};

timestamp as_time(const note& n) { return timestamp{std::chrono::seconds{n.id}}; }

}  // namespace

TEST_CASE("a file that grows by one byte at a time gives each row when its line end has come, and never before") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv");
  follower tail{csv_tail<note>{.path = path}, true};
  CHECK(tail.settle().empty());
  const auto ends = [](std::size_t n) {
    std::size_t rows = 0;
    for (std::size_t end : {13u, 21u, 32u, 37u}) rows += n >= end ? 1 : 0;
    return rows;
  };
  REQUIRE(small.size() == 37);
  for (std::size_t i = 0; i < small.size(); ++i) {
    append(path, small.substr(i, 1));
    tail.settle();
    REQUIRE(tail.rows == notes(small_rows.begin(), small_rows.begin() + static_cast<std::ptrdiff_t>(ends(i + 1))));
  }
}

TEST_CASE("a file cut in two at every byte gives the same rows") {
  const scratch_folder folder;
  for (std::size_t cut = 0; cut <= small.size(); ++cut) {
    const auto path = folder.file(std::to_string(cut), small.substr(0, cut));
    follower tail{csv_tail<note>{.path = path}, true};
    tail.settle();
    append(path, small.substr(cut));
    REQUIRE(tail.settle() == small_rows);
    CHECK(tail.reader->progress().done == small.size());
  }
}

TEST_CASE("a file that is renamed is read to its end, then the one that has its name, with a header of its own") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", "id,text\n1,a\n");
  follower tail{csv_tail<note>{.path = path}, true};
  CHECK(tail.settle() == notes{{1, "a"}});
  append(path, "2,b\n");
  std::filesystem::rename(path, path + ".1");
  append(path + ".1", "3,c\n");
  CHECK(tail.settle() == notes{{1, "a"}, {2, "b"}, {3, "c"}});
  append(path, "text,id\nd,4\n");
  tail.step();
  append(path + ".1", "5,e\n");
  CHECK(tail.settle() == notes{{1, "a"}, {2, "b"}, {3, "c"}, {5, "e"}, {4, "d"}});
  append(path, "f,6\n");
  CHECK(tail.settle().back() == note{6, "f"});
}

TEST_CASE("a file that has the name for one look only is read, however many follow one another") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", "id,text\n0,a\n");
  follower tail{csv_tail<note>{.path = path}, true};
  notes all{{0, "a"}};
  CHECK(tail.settle() == all);
  for (int i = 1; i <= 8; ++i) {
    std::filesystem::rename(path, path + '.' + std::to_string(i));
    append(path, "id,text\n" + std::to_string(i) + ",b\n");
    all.push_back({i, "b"});
    while (tail.step() == read_result::kind::more) continue;
  }
  CHECK(tail.settle() == all);
}

TEST_CASE("a file that gets its name back before the other was begun is not read twice") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", "id,text\n0,a\n");
  follower tail{csv_tail<note>{.path = path}, true};
  CHECK(tail.settle() == notes{{0, "a"}});
  std::filesystem::rename(path, path + ".1");
  append(path, "id,text\n1,b\n");
  tail.step();
  std::filesystem::rename(path + ".1", path);
  append(path, "2,c\n");
  CHECK(tail.settle() == notes{{0, "a"}, {2, "c"}});
}

TEST_CASE("a record that the end of a renamed file cuts off is a bad row, and the next file is read") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", "id,text\n1,a\n2,\"b");
  const auto rotate = [&] {
    std::filesystem::rename(path, path + ".1");
    append(path, "id,text\n3,c\n");
  };
  SUBCASE("left out") {
    follower tail{csv_tail<note>{.path = path}};
    tail.settle();
    rotate();
    CHECK(tail.settle() == notes{{1, "a"}, {3, "c"}});
    REQUIRE(tail.bad.rows.size() == 1);
    CHECK(tail.bad.rows[0].starts_with(path + ":3: "));
    CHECK(tail.bad.rows[0].ends_with("is cut off: another file took its name before its line end came"));
  }
  SUBCASE("strict") {
    follower tail{csv_tail<note>{.path = path}, true};
    tail.settle();
    rotate();
    CHECK_THROWS_AS(tail.settle(), data_error);
  }
}

TEST_CASE("a file that is emptied is read from its beginning again, and the log says so") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", "id,text\n1,a\n2,b\n");
  follower tail{csv_tail<note>{.path = path}, true};
  tail.settle();
  SUBCASE("to a shorter file") { write_anew(path, "id,text\n3,c\n"); }
  SUBCASE("to one of the same length") { write_anew(path, "id,text\n3,c\n4,d\n"); }
  SUBCASE("to a longer one") { write_anew(path, "id,text\n3,c\n4,d\n5,e\n"); }
  SUBCASE("to nothing at first") {
    write_anew(path, "");
    tail.settle();
    append(path, "id,text\n3,c\n");
  }
  append(path, "9,z\n");
  tail.settle();
  REQUIRE(tail.rows.size() >= 4);
  CHECK(tail.rows[2] == note{3, "c"});
  CHECK(tail.rows.back() == note{9, "z"});
  CHECK(tail.bad.notes.empty());
  follower lenient{csv_tail<note>{.path = path}};
  lenient.settle();
  write_anew(path, "id,text\n");
  lenient.settle();
  CHECK(lenient.bad.notes == texts{path + " was written anew and is read from its beginning; what was not read before is lost"});
}

TEST_CASE("a file that is not there is waited for, and one that vanishes and comes back is followed on") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv");
  follower tail{csv_tail<note>{.path = path}, true};
  CHECK(tail.reader->backlog());
  tail.settle();
  CHECK_FALSE(tail.reader->backlog());
  append(path, "id,text\n1,a\n");
  CHECK(tail.settle().size() == 1);
  std::filesystem::rename(path, path + ".away");
  append(path + ".away", "2,b\n");
  CHECK(tail.settle().size() == 2);
  std::filesystem::rename(path + ".away", path);
  append(path, "3,c\n");
  CHECK(tail.settle().size() == 3);
  std::filesystem::remove(path);
  CHECK(tail.settle().size() == 3);
  append(path, "id,text\n4,d\n");
  CHECK(tail.settle() == notes{{1, "a"}, {2, "b"}, {3, "c"}, {4, "d"}});
}

TEST_CASE("a reader goes on wherever another was, also in a file that was renamed since") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv");
  const csv_tail<note> source{.path = path};
  follower tail{source, true};
  std::vector<std::pair<source_position, std::size_t>> places{{tail.reader->position(), 0}};
  for (std::size_t i = 0; i < small.size(); ++i) {
    append(path, small.substr(i, 1));
    tail.settle();
    places.emplace_back(tail.reader->position(), tail.rows.size());
  }
  const auto goes_on_everywhere = [&](const notes& all) {
    for (const auto& [place, before] : places) {
      follower second{source, true};
      second.reader->seek(place);
      REQUIRE(second.settle() == notes(all.begin() + static_cast<std::ptrdiff_t>(before), all.end()));
    }
  };
  auto all = small_rows;
  goes_on_everywhere(all);
  append(path, "5,e\n");
  all.push_back({5, "e"});
  goes_on_everywhere(all);
  places.erase(places.begin(), places.begin() + 2);
  std::filesystem::rename(path, path + ".1");
  goes_on_everywhere(all);
  append(path, "id,text\n6,f\n");
  all.push_back({6, "f"});
  goes_on_everywhere(all);
}

TEST_CASE("lines are counted on behind a position") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", small);
  const csv_tail<note> source{.path = path};
  follower tail{source};
  tail.settle();
  append(path, "x,y\n");
  follower second{source};
  second.reader->seek(tail.reader->position());
  second.settle();
  CHECK(second.bad.rows == texts{path + ":9, column 'id': \"x\" is not a whole number"});
}

TEST_CASE("a position in a file that is gone, or was written anew, is an error, as rows may be lost") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", small);
  const csv_tail<note> source{.path = path};
  follower tail{source};
  tail.settle();
  const auto error = [&] {
    try {
      follower second{source};
      second.reader->seek(tail.reader->position());
      return std::string{};
    } catch (const data_error& e) {
      return std::string{e.what()};
    }
  };
  CHECK(error().empty());
  const auto place = "cannot go on in '" + path + "' at byte 37: ";
  const auto rest = ", so rows may be lost\n  help: put the file that was read back beside it, or start the job afresh";
  SUBCASE("gone") {
    const scratch_folder elsewhere;
    std::filesystem::rename(path, elsewhere.file("live.csv"));
    CHECK(error() == place + "it is another file now, and the one that was read is gone" + rest);
    append(path, small);
    CHECK(error() == place + "it is another file now, and the one that was read is gone" + rest);
  }
  SUBCASE("shorter") {
    follower third{source};
    third.settle();
    const auto at = third.reader->position();
    write_anew(path, "id,text\n");
    follower second{source};
    CHECK_THROWS_WITH_AS(second.reader->seek(at), (place + "it was written anew" + rest).c_str(), data_error);
  }
  SUBCASE("other") {
    const auto at = tail.reader->position();
    write_anew(path, small.substr(0, 33) + "5,d\nand more\n");
    follower second{source};
    CHECK_THROWS_WITH_AS(second.reader->seek(at), (place + "it was written anew" + rest).c_str(), data_error);
  }
}

TEST_CASE("from the end: no row that was there when it was opened, nor the one that was begun") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", small + "5,\"e");
  const csv_tail<note> source{.path = path, .from = at_end};
  follower tail{source, true};
  CHECK(tail.settle().empty());
  const auto early = tail.reader->position();
  append(path, "e\"\n6,f\n");
  CHECK(tail.settle() == notes{{6, "f"}});
  follower second{source, true};
  second.reader->seek(early);
  CHECK(second.settle() == notes{{6, "f"}});
  follower absent{csv_tail<note>{.path = folder.file("later.csv"), .from = at_end}, true};
  append(folder.file("later.csv"), small);
  CHECK(absent.settle() == small_rows);
}

TEST_CASE("from a time, or the end of the history: earlier rows are left out, also after a restart") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", small);
  const notes late{{3, "c\"\r\n,"}, {4, "d"}};
  CHECK(follower{csv_tail<note>{.path = path, .time = as_time, .from = at_time(timestamp{3s})}}.settle() == late);
  const csv_tail<note> after{.path = path, .time = as_time, .from = after_history(2s)};
  follower tail{after, true, timestamp{5s}};
  const auto at_first = tail.reader->position();
  CHECK(tail.settle() == late);
  follower again{after, true};
  again.reader->seek(at_first);
  CHECK(again.settle() == late);
  CHECK(follower{after}.settle() == small_rows);
}

TEST_CASE("a tail is behind until its first end, and again while more than the bound is left to read") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", "id,text\n");
  const auto grow = [&](std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += "7,a text that makes rows of a known size which is what is wanted\n";
    append(path, text);
  };
  grow(3'000'000);
  follower tail{csv_tail<note>{.path = path, .backlog = {.above = 1'000'000, .below = 200'000}}};
  CHECK(tail.reader->backlog());
  while (tail.step() == read_result::kind::more) {
    if (tail.reader->progress().done < 2'700'000) REQUIRE(tail.reader->backlog());
  }
  CHECK_FALSE(tail.reader->backlog());
  grow(900'000);
  while (tail.step() == read_result::kind::more) REQUIRE_FALSE(tail.reader->backlog());
  grow(2'000'000);
  const auto before = tail.reader->progress().done;
  auto was_behind = false;
  while (tail.step() == read_result::kind::more) {
    const auto done = tail.reader->progress().done - before;
    was_behind = was_behind || tail.reader->backlog();
    if (done > 300'000 && done < 1'700'000) REQUIRE(tail.reader->backlog());
  }
  CHECK(was_behind);
  CHECK_FALSE(tail.reader->backlog());
  CHECK(tail.bad.rows.empty());
}

TEST_CASE("bad rows are left out with their place, and a quote that stays open ends it whatever becomes of them") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv", "id,text\n1,a\nx,b\n3\n4,\"d\" \n5,e\n");
  follower tail{csv_tail<note>{.path = path, .max_record = 100}};
  CHECK(tail.settle() == notes{{1, "a"}, {5, "e"}});
  CHECK(tail.bad.rows == texts{path + ":3, column 'id': \"x\" is not a whole number",
                               path + ":4: \"3\" has 1 cell, but the header has 2",
                               path + ":5: \"4,\"d\" \" goes on behind the closing quote of cell 2"});
  append(path, "6,\"" + std::string(50, 'f'));
  tail.settle();
  append(path, std::string(100, 'f'));
  CHECK_THROWS_AS(tail.settle(), data_error);
}

TEST_CASE("options that cannot be, and folders that are not there, are told when the job is checked") {
  const scratch_folder folder;
  const auto path = folder.file("live.csv");
  csv_tail<note>{.path = path}.check();
  CHECK_THROWS_AS((csv_tail<note>{.path = path, .from = at_time(timestamp{})}.check()), pipeline_error);
  CHECK_THROWS_AS((csv_tail<note>{.path = path, .poll = 0ms}.check()), pipeline_error);
  CHECK_THROWS_AS((csv_tail<note>{.path = path, .delimiter = '"'}.check()), pipeline_error);
  CHECK_THROWS_AS((csv_tail<note>{.path = path, .backlog = {.above = 1, .below = 2}}.check()), pipeline_error);
  CHECK_THROWS_AS((csv_tail<note>{.path = folder.file("no/live.csv")}.check()), data_error);
  CHECK_THROWS_AS((csv_tail<note>{.path = folder.path}.check()), data_error);
  follower tail{csv_tail<note>{.path = folder.file("other.csv", "ids,text\n")}};
  CHECK_THROWS_AS(tail.settle(), data_error);
}

TEST_CASE("lines of JSON and of text are followed in the same way") {
  const scratch_folder folder;
  const auto path = folder.file("live.jsonl");
  follower tail{jsonl_tail<note>{.path = path}};
  const std::string text = "{\"id\": 1, \"text\": \"a\\n\"}\r\n\n{\"text\": \"b\", \"id\": 2, \"more\": [{}]}\n{\"id\": 3}\n";
  for (const char c : text) {
    append(path, {&c, 1});
    tail.settle();
  }
  append(path, "[\xff]\n{\"id\": 4, \"te");
  CHECK(tail.settle() == notes{{1, "a\n"}, {2, "b"}});
  REQUIRE(tail.bad.rows.size() == 2);
  CHECK(tail.bad.rows[0].starts_with(path + ":4, field 'text': "));
  CHECK(tail.bad.rows[1] == path + ":5: [\\xff] is not UTF-8");
  follower second{jsonl_tail<note>{.path = path}};
  second.reader->seek(tail.reader->position());
  append(path, "xt\":\"d\"}\n");
  CHECK(second.settle() == notes{{4, "d"}});
  CHECK(tail.settle() == notes{{1, "a\n"}, {2, "b"}, {4, "d"}});

  follower lines{text_tail{.path = folder.file("live.log", "\xef\xbb\xbfone\r\n\ntwo\nthr"), .max_record = 10}};
  CHECK(lines.settle() == texts{"one", "", "two"});
  append(folder.file("live.log"), "ee\n12345678901\n1234567890\n" + std::string(300'000, 'x') + "\nfour\n\xff\n");
  CHECK(lines.settle() == texts{"one", "", "two", "three", "1234567890", "four"});
  CHECK(lines.bad.rows.size() == 3);
  std::filesystem::rename(folder.file("live.log"), folder.file("old.log"));
  append(folder.file("live.log"), "five\n");
  CHECK(lines.settle().back() == "five");
}

TEST_CASE("whatever is appended, renamed, restarted: every whole record is read once and in order") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random{seed};
    const auto below = [&](unsigned n) { return random() % n; };
    const scratch_folder folder;
    const auto path = folder.file("live.csv");
    const csv_tail<note> source{.path = path};
    notes written;
    std::string unwritten = "id,text\n";
    auto tail = std::make_unique<follower<csv_tail<note>>>(source, true);
    notes seen;
    for (int step = 0, files = 0; step < 400; ++step) {
      if (below(3) == 0) {
        const auto id = static_cast<int>(written.size());
        const std::string text(below(20), below(2) == 0 ? '\n' : '"');
        written.push_back({id, text});
        std::string cell;
        for (char c : text) cell += c == '"' ? "\"\"" : std::string{c};
        unwritten += std::to_string(id) + ",\"" + cell + "\"\n";
      }
      if (below(2) == 0) {
        const auto n = below(static_cast<unsigned>(unwritten.size()) + 1);
        append(path, unwritten.substr(0, n));
        unwritten.erase(0, n);
      }
      if (below(3) == 0) tail->step();
      if (below(20) == 0) {
        append(path, unwritten);
        tail->settle();
        std::filesystem::rename(path, folder.file(std::to_string(files++)));
        unwritten = "id,text\n";
      }
      if (below(15) == 0 && tail->reader->progress().done > 0) {
        auto next = std::make_unique<follower<csv_tail<note>>>(source, true);
        next->reader->seek(tail->reader->position());
        seen.insert(seen.end(), tail->rows.begin(), tail->rows.end());
        tail = std::move(next);
      }
    }
    append(path, unwritten);
    tail->settle();
    seen.insert(seen.end(), tail->rows.begin(), tail->rows.end());
    REQUIRE(seen == written);
  }
}
