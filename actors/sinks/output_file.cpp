#include "actors/sinks/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace spillway::detail {
namespace {

const char* help_for(int error) {
  switch (error) {
    case ENOSPC:
      return "free some space on that disk, or write to another";
    case EACCES:
      return "give this user the right to write to its folder";
    case EISDIR:
      return "name a file, not a folder";
    case ENOTDIR:
    case EEXIST:
      return "a part of the path is a file where a folder is needed";
    default:
      return "check the path and its disk";
  }
}

}  // namespace

output_file::output_file(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
  struct stat about {};
  if (path_.empty() || path_.ends_with('/') || (stat(path_.c_str(), &about) == 0 && S_ISDIR(about.st_mode))) fail(EISDIR);
  std::error_code failed;
  if (const auto folder = std::filesystem::path{path_}.parent_path(); !folder.empty()) create_directories(folder, failed);
  if (failed) fail(failed.value());
  file_ = open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
}

output_file::~output_file() {
  if (file_ < 0) return;
  ::close(file_);
  unlink(part_.c_str());
}

void output_file::write() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const auto written = ::write(file_, left.data(), left.size());
    if (written >= 0)
      left.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      fail(errno);
  }
  buffer_.clear();
}

void output_file::close() {
  write();
  // A pipe or a device has nothing to wait for.
  if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
  if (std::rename(part_.c_str(), path_.c_str()) != 0) fail(errno);
  ::close(std::exchange(file_, -1));
}

void output_file::fail(int error) const {
  throw std::runtime_error{"cannot write '" + path_ + "': " + std::generic_category().message(error) +
                           "\n  help: " + help_for(error)};
}

}  // namespace spillway::detail
