#include "actors/sources/file_list.hpp"

#include "actors/sources/input_file.hpp"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

namespace spillway::detail {
namespace {

namespace fs = std::filesystem;

constexpr auto which_are_read = "a folder's files are read, but those that are hidden or named *.part";

bool is_pattern(const std::string& path) { return path.find_first_of("*?[") != path.npos; }

found_file file_of(const std::string& path, const struct stat& about) {
  found_file f{path, std::nullopt, about.st_ino};
  if (S_ISREG(about.st_mode)) f.size = static_cast<std::uint64_t>(about.st_size);
  return f;
}

/// Adds `path` if it is a file that is read without being named.
void add_unnamed(std::vector<found_file>& files, const std::string& path) {
  if (path.ends_with(".part")) return;
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) cannot_read_file(path, errno);
  if (S_ISREG(about.st_mode)) files.push_back(file_of(path, about));
}

void sort_by_name(std::vector<found_file>& files) {
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
}

std::vector<found_file> files_in(const std::string& folder) {
  std::vector<found_file> files;
  std::error_code error;
  for (fs::directory_iterator at{folder, error}, end; !error && at != end; at.increment(error))
    if (!at->path().filename().string().starts_with('.')) add_unnamed(files, at->path().string());
  if (error) cannot_read_file(folder, error.value());
  if (files.empty()) input_file::cannot_read(folder, "there are no files in this folder", which_are_read);
  sort_by_name(files);
  return files;
}

/// The paths that match a pattern.
class matches {
 public:
  explicit matches(const std::string& pattern) {
    unreadable.clear();
    const auto did = glob(pattern.c_str(), GLOB_NOSORT | GLOB_NOESCAPE, &note_unreadable, &found_);
    if (did == 0 || did == GLOB_NOMATCH) return;
    globfree(&found_);
    if (did == GLOB_NOSPACE) throw std::bad_alloc{};
    cannot_read_file(unreadable.empty() ? pattern : unreadable, unreadable.empty() ? EIO : cause);
  }
  matches(const matches&) = delete;
  matches& operator=(const matches&) = delete;
  ~matches() { globfree(&found_); }

  char** begin() const { return found_.gl_pathv; }
  char** end() const { return found_.gl_pathv + found_.gl_pathc; }

 private:
  /// `glob` gives its callback no context.
  static inline thread_local std::string unreadable;
  static inline thread_local int cause = 0;

  static int note_unreadable(const char* path, int error) {
    // Patterns lead to files, too, where a folder would have to be.
    if (error == ENOTDIR || error == ENOENT) return 0;
    unreadable = path;
    cause = error;
    return 1;
  }

  glob_t found_{};
};

std::vector<found_file> files_like(const std::string& pattern) {
  std::vector<found_file> files;
  auto folders = false;
  for (const std::string path : matches{pattern}) {
    add_unnamed(files, path);
    folders = folders || fs::is_directory(path);
  }
  if (files.empty())
    input_file::cannot_read(pattern, folders ? "only folders match" : "no file matches",
                            folders ? "add /* to read the files in them" : help_for_missing(pattern));
  sort_by_name(files);
  return files;
}

}  // namespace

std::vector<found_file> find_files(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) == 0) {
    if (S_ISDIR(about.st_mode)) return files_in(path);
    return {file_of(path, about)};
  }
  const auto error = errno;
  if (error == ENOENT && is_pattern(path)) return files_like(path);
  cannot_read_file(path, error);
}

}  // namespace spillway::detail
