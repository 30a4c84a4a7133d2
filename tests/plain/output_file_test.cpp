#include "actors/sinks/output_file.hpp"

#include "tests/plain/cases.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <thread>

using spillway::detail::output_file;

namespace fs = std::filesystem;

namespace {

void write_whole(const std::string& path, const std::string& text) {
  output_file file{path};
  file.buffer() = text;
  file.close();
}

std::string refusal_of(const std::string& path) {
  try {
    output_file{path};
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a file that is being written is refused to others, until it has been closed or given up") {
  const scratch_folder folder;
  const auto path = folder.file("new/x.csv");
  const auto refused = [&] {
    try {
      output_file{path};
    } catch (const std::runtime_error& e) {
      return e.what() == "cannot write '" + path +
                             "': it is being written already\n  help: another job, or another sink of this "
                             "one, writes to it: wait for its end, or name another file";
    }
    return false;
  };
  std::optional<output_file> file{path};
  file->buffer() = "one\n";
  CHECK(refused());
  file->write();
  CHECK(refused());
  file->close();
  CHECK(text_of_file(path) == "one\n");

  file.emplace(path);
  file->buffer() = "two\n";
  CHECK(refused());
  file.reset();
  CHECK_FALSE(std::filesystem::exists(path + ".part"));
  CHECK_FALSE(refused());
  CHECK(text_of_file(path) == "one\n");
}

TEST_CASE("what a killed program has left of a file is written over") {
  const scratch_folder folder;
  const auto path = folder.file("x.csv");
  (void)folder.file("x.csv.part", "much of what was to be written");
  output_file file{path};
  file.buffer() = "all\n";
  file.close();
  CHECK(text_of_file(path) == "all\n");
}

TEST_CASE("behind a symbolic link the file is replaced that it leads to") {
  const scratch_folder folder;
  const auto there = folder.file("there.csv", "old\n"), to_it = folder.file("b/to it"), to_that = folder.file("to that"),
             to_nothing = folder.file("to nothing");
  fs::create_directories(folder.file("b"));
  fs::create_symlink("../there.csv", to_it);
  fs::create_symlink(to_it, to_that);
  fs::create_symlink("new.csv", to_nothing);
  write_whole(to_that, "new\n");
  write_whole(to_nothing, "made\n");
  CHECK(text_of_file(there) == "new\n");
  CHECK(text_of_file(folder.file("new.csv")) == "made\n");
  for (const auto& link : {to_it, to_that, to_nothing}) CHECK(fs::is_symlink(link));
}

TEST_CASE("a ring of links is an error") {
  const scratch_folder folder;
  fs::create_symlink("a", folder.file("b"));
  fs::create_symlink("b", folder.file("a"));
  CHECK(refusal_of(folder.file("a")) ==
        "cannot write '" + folder.file("a") + "': it is a ring of symbolic links\n  help: name a file");
}

TEST_CASE("a device is written straight into and stays what it is") {
  output_file file{"/dev/full"};
  file.buffer() = "x\n";
  CHECK_THROWS_WITH_AS(file.close(), doctest::Contains("No space left on device"), std::runtime_error);
  write_whole("/dev/null", "x\n");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_FALSE(fs::exists("/dev/null.part"));
}

TEST_CASE("a named pipe gets what is written, as it comes") {
  const scratch_folder folder;
  const auto path = folder.file("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string got;
  std::thread reader{[&] { got = text_of_file(path); }};
  write_whole(path, "one\ntwo\n");
  reader.join();
  CHECK(got == "one\ntwo\n");
  CHECK(fs::is_fifo(path));
  CHECK_FALSE(fs::exists(path + ".part"));
}

TEST_CASE("what is open as standard output is written straight into, behind what was printed") {
  const scratch_folder folder;
  const auto path = folder.file("out.txt");
  const auto before = dup(STDOUT_FILENO), file = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(file, STDOUT_FILENO);
  (void)!write(STDOUT_FILENO, "printed\n", 8);
  write_whole("/dev/stdout", "rows\n");
  (void)!write(STDOUT_FILENO, "more\n", 5);
  dup2(before, STDOUT_FILENO);
  close(before);
  close(file);
  CHECK(text_of_file(path) == "printed\nrows\nmore\n");
}

TEST_CASE("a folder and a socket are refused") {
  const scratch_folder folder;
  const auto inner = folder.file("inner"), path = folder.file("socket");
  fs::create_directories(inner);
  CHECK(refusal_of(inner) == "cannot write '" + inner + "': it is a folder\n  help: name a file");
  CHECK(refusal_of(inner + "/") == "cannot write '" + inner + "/': it is the name of a folder\n  help: name a file");
  const auto s = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{AF_UNIX, {}};
  REQUIRE(path.size() < sizeof(address.sun_path));
  path.copy(address.sun_path, path.size());
  REQUIRE(bind(s, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  CHECK(refusal_of(path) == "cannot write '" + path + "': it is a socket\n  help: name a file");
  close(s);
}
