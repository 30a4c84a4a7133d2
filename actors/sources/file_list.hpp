#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spillway::detail {

struct found_file {
  std::string path;
  /// Null for a pipe.
  std::optional<std::uint64_t> size;
  std::uint64_t inode = 0;
};

/// The files that `path` means, sorted by name: one file, those of a folder, or those that match a pattern (`*`, `?` and `[..]`
/// in any of its parts). Of folders and patterns, hidden files, folders and those named *.part are left out. A file whose name is
/// `path` to the letter comes before patterns. Throws `data_error` if there is none.
std::vector<found_file> find_files(const std::string& path);

}  // namespace spillway::detail
