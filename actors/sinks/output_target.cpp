#include "actors/sinks/output_target.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace spillway::detail {

namespace fs = std::filesystem;

namespace {

/// The number under which it is open as standard output or error; -1 if it is not.
int standard_number(const struct stat& about) {
  for (const auto number : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat standard {};
    if (fstat(number, &standard) == 0 && standard.st_dev == about.st_dev && standard.st_ino == about.st_ino) return number;
  }
  return -1;
}

}  // namespace

std::string target_of(const std::string& path) {
  constexpr int most_links = 40;
  fs::path at = path;
  std::error_code failed;
  for (int links = 0; links < most_links; ++links) {
    if (!fs::is_symlink(at, failed)) return at.string();
    const auto next = fs::read_symlink(at, failed);
    if (failed) return at.string();
    // An absolute path takes the place of the folder.
    at = at.parent_path() / next;
  }
  return path;
}

std::string part_of(const std::string& target) { return target + ".part"; }

const char* not_writable(const std::string& path) {
  if (path.empty() || path.ends_with('/')) return "the name of a folder";
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return errno == ELOOP ? "a ring of symbolic links" : nullptr;
  if (S_ISDIR(about.st_mode)) return "a folder";
  if (S_ISBLK(about.st_mode)) return "a block device";
  return S_ISSOCK(about.st_mode) && standard_number(about) < 0 ? "a socket" : nullptr;
}

bool made_whole(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) != 0 || (S_ISREG(about.st_mode) && standard_number(about) < 0);
}

std::optional<int> open_stream(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return {};
  // A file that is opened again would be written from its beginning on, over what else was printed.
  if (const auto number = standard_number(about); number >= 0) return fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (!S_ISFIFO(about.st_mode) && !S_ISCHR(about.st_mode)) return {};
  return above_stderr(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
}

int above_stderr(int file) {
  if (file < 0 || file > STDERR_FILENO) return file;
  const auto above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const auto error = errno;
  close(file);
  errno = error;
  return above;
}

}  // namespace spillway::detail
