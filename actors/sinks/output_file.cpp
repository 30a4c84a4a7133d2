#include "actors/sinks/output_file.hpp"

#include "actors/sinks/output_target.hpp"

#include <fcntl.h>
#include <sys/file.h>
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
    case ENOTDIR:
    case EEXIST:
      return "a part of the path is a file where a folder is needed";
    case EWOULDBLOCK:
      return "another job, or another sink of this one, writes to it: wait for its end, or name another file";
    default:
      return "check the path and its disk";
  }
}

std::string cause_of(int error) {
  return error == EWOULDBLOCK ? "it is being written already" : std::generic_category().message(error);
}

/// Closes `file`, with `errno` as it was. Returns -1.
int give_up(int file) {
  const auto error = errno;
  ::close(file);
  errno = error;
  return -1;
}

/// False if `path` is no longer what was opened as `file`: whoever had it locked until now has renamed or removed it.
bool is_at(const std::string& path, int file) {
  struct stat there {
  }, opened{};
  return stat(path.c_str(), &there) == 0 && fstat(file, &opened) == 0 && there.st_dev == opened.st_dev &&
         there.st_ino == opened.st_ino;
}

/// Opens `path` empty and locked until it is closed. Returns -1 and sets `errno`, to EWOULDBLOCK if another has it locked.
int open_locked(const std::string& path) {
  for (;;) {
    const auto file = above_stderr(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (file < 0) return file;
    // File systems without locks do without.
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return give_up(file);
    if (is_at(path, file)) return ftruncate(file, 0) == 0 || errno == EINVAL ? file : give_up(file);
    give_up(file);
  }
}

}  // namespace

output_file::output_file(std::string path) : path_(std::move(path)) {
  if (const auto* what = not_writable(path_))
    throw std::runtime_error{"cannot write '" + path_ + "': it is " + what + "\n  help: name a file"};
  if (const auto stream = open_stream(path_)) {
    file_ = *stream;
    if (file_ < 0) fail(errno);
    return;
  }
  target_ = target_of(path_);
  part_ = part_of(target_);
  std::error_code failed;
  if (const auto folder = std::filesystem::path{target_}.parent_path(); !folder.empty()) create_directories(folder, failed);
  if (failed) fail(failed.value());
  file_ = open_locked(part_);
  if (file_ < 0) fail(errno);
}

output_file::~output_file() {
  if (file_ < 0) return;
  if (!part_.empty()) unlink(part_.c_str());
  ::close(file_);
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
  // A file system without it does without.
  if (!part_.empty() && fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
  if (!part_.empty() && std::rename(part_.c_str(), target_.c_str()) != 0) fail(errno);
  ::close(std::exchange(file_, -1));
}

void output_file::fail(int error) const {
  throw std::runtime_error{"cannot write '" + path_ + "': " + cause_of(error) + "\n  help: " + help_for(error)};
}

}  // namespace spillway::detail
