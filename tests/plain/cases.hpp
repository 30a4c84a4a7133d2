#pragma once
// Inputs that broke systems of this kind, see tests/cases.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

inline std::string case_file(const std::string& name) {
  return (std::filesystem::path{__FILE__}.parent_path().parent_path() / "cases" / name).string();
}

inline std::string text_of_file(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  REQUIRE_MESSAGE(in.good(), path);
  return {std::istreambuf_iterator<char>{in}, {}};
}

inline std::vector<std::string> lines_of_file(const std::string& path) {
  std::ifstream in{path};
  REQUIRE_MESSAGE(in.good(), path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A folder of this test's own, removed with all in it at the end.
struct scratch_folder {
  std::string path = [] {
    auto name = (std::filesystem::temp_directory_path() / "spillway-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    return name;
  }();
  scratch_folder() = default;
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() { std::filesystem::remove_all(path); }

  std::string file(const std::string& name) const { return path + '/' + name; }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream{file(name), std::ios::binary} << text;
    return file(name);
  }
};
