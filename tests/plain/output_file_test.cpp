#include "actors/sinks/output_file.hpp"

#include "tests/plain/cases.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <stdexcept>

using spillway::detail::output_file;

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
