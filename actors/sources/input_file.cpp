#include "actors/sources/input_file.hpp"

#include "messages/errors.hpp"
#include "messages/nearest.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace spillway::detail {
namespace {

namespace fs = std::filesystem;

std::string cause_of(int error) {
  switch (error) {
    case ENOENT:
      return "no such file";
    case EISDIR:
      return "it is a folder";
    case ENOTDIR:
      return "what should be its folder is a file";
    case EACCES:
      return "permission denied";
    default:
      return std::generic_category().message(error);
  }
}

std::string help_for(const std::string& path, int error) {
  if (error == EISDIR) return "name a file in it";
  if (error == EACCES) return "give this user the right to read it";
  return help_for_missing(path);
}

}  // namespace

std::string help_for_missing(const std::string& path) {
  const auto file = fs::path{path};
  const auto folder = file.has_parent_path() ? file.parent_path() : fs::path{"."};
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return "there is no folder '" + folder.string() + '\'';
  std::vector<std::string> names;
  for (fs::directory_iterator at{folder, ignored}, end; at != end && names.size() < 10'000; at.increment(ignored))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  if (const auto meant = nearest(file.filename().string(), names))
    return "did you mean '" + (file.has_parent_path() ? (file.parent_path() / *meant).string() : *meant) + "'?";
  if (file.is_absolute()) return "check the path";
  return "the path starts at " + fs::current_path(ignored).string();
}

void cannot_read_file(const std::string& path, int error) {
  input_file::cannot_read(path, cause_of(error), help_for(path, error));
}

input_file::input_file(std::string path) : path_(std::move(path)), file_(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat about {};
  const auto error = file_ < 0 || fstat(file_, &about) != 0 ? errno : S_ISDIR(about.st_mode) ? EISDIR : 0;
  if (error != 0) {
    if (file_ >= 0) close(file_);
    cannot_read_file(path_, error);
  }
  inode_ = about.st_ino;
  if (S_ISREG(about.st_mode)) size_ = static_cast<std::uint64_t>(about.st_size);
}

input_file::~input_file() { close(file_); }

std::optional<std::size_t> input_file::read(char* to, std::size_t n) {
  for (;;) {
    // A pipe that nobody writes to yet would look as if it had ended.
    if (!size_ && !has_bytes()) return std::nullopt;
    const auto got = ::read(file_, to, n);
    if (got >= 0) {
      offset_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
    if (errno == EAGAIN) return std::nullopt;
    if (errno != EINTR) cannot_read_file(path_, errno);
  }
}

void input_file::go_to(std::uint64_t offset) {
  if (lseek(file_, static_cast<off_t>(offset), SEEK_SET) < 0) cannot_read_file(path_, errno);
  offset_ = offset;
}

/// Also true when all who could write are gone.
bool input_file::has_bytes() const {
  constexpr int patience_ms = 50;
  pollfd wanted{file_, POLLIN, 0};
  return poll(&wanted, 1, patience_ms) > 0;
}

void input_file::cannot_read(const std::string& path, const std::string& cause, const std::string& help) {
  throw data_error{"cannot read '" + path + "': " + cause + "\n  help: " + help};
}

}  // namespace spillway::detail
