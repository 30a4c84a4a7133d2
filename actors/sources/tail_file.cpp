#include "actors/sources/tail_file.hpp"

#include "actors/sources/input_file.hpp"
#include "messages/errors.hpp"
#include "messages/key.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace spillway::detail {
namespace {

constexpr std::size_t most_remembered = 64;

bool is_missing(int error) { return error == ENOENT || error == ENOTDIR; }

}  // namespace

tail_file::~tail_file() {
  forget_next();
  if (file_ >= 0) close(file_);
}

void tail_file::forget_next() {
  if (next_.file >= 0) close(next_.file);
  next_ = {};
}

/// No file if nothing has that name.
tail_file::opened tail_file::open_path(const std::string& path) const {
  const auto file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 && is_missing(errno)) return {};
  struct stat about {};
  const auto error = file < 0 || fstat(file, &about) != 0 ? errno : S_ISDIR(about.st_mode) ? EISDIR : 0;
  if (error == 0 && S_ISREG(about.st_mode)) return {file, about.st_dev, about.st_ino, static_cast<std::uint64_t>(about.st_size)};
  if (file >= 0) close(file);
  if (error != 0) cannot_read_file(path, error);
  input_file::cannot_read(path, "it is not a file that can grow", "a named pipe can be read as one that ends");
}

void tail_file::adopt(const opened& o) {
  if (file_ >= 0) close(file_);
  file_ = o.file;
  device_ = o.device;
  inode_ = o.inode;
  offset_ = 0;
  last_.clear();
  was_at_end_ = false;
}

bool tail_file::open() {
  if (file_ < 0)
    if (const auto found = open_path(path_); found.file >= 0) adopt(found);
  return file_ >= 0;
}

tail_file::look tail_file::read(char* to, std::size_t n) {
  if (!open()) return {};
  const auto got = read_at(offset_, to, n);
  if (got == 0) return at_end();
  if (std::exchange(was_at_end_, false) && was_rewritten()) {
    go_to(0);
    return {look::kind::rewritten, 0};
  }
  offset_ += got;
  remember(to, got);
  return {look::kind::bytes, got};
}

tail_file::look tail_file::at_end() {
  was_at_end_ = true;
  struct stat about {};
  if (fstat(file_, &about) != 0) cannot_read_file(path_, errno);
  if (static_cast<std::uint64_t>(about.st_size) < offset_ || was_rewritten()) {
    go_to(0);
    return {look::kind::rewritten, 0};
  }
  if (!next_is_due()) return {};
  adopt(std::exchange(next_, {}));
  return {look::kind::replaced, 0};
}

/// The writer of this file may be about to write the last of it, so the next one is kept open until the look after this: by then
/// it may have lost the name too.
bool tail_file::next_is_due() {
  struct stat about {};
  const auto there = stat(path_.c_str(), &about) == 0;
  if (!there && !is_missing(errno)) cannot_read_file(path_, errno);
  if (there && about.st_ino == inode_ && about.st_dev == device_) {
    forget_next();
    return false;
  }
  if (next_.file >= 0) return true;
  if (there) next_ = open_path(path_);
  return false;
}

std::uint64_t tail_file::behind() const {
  struct stat about {};
  if (file_ < 0 || fstat(file_, &about) != 0) return 0;
  const auto size = static_cast<std::uint64_t>(about.st_size);
  const auto next = next_.file >= 0 && fstat(next_.file, &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
  return (size > offset_ ? size - offset_ : 0) + next;
}

void tail_file::go_to(std::uint64_t offset) {
  offset_ = offset;
  last_.resize(std::min<std::uint64_t>(offset, most_remembered));
  last_.resize(read_at(offset - last_.size(), last_.data(), last_.size()));
  was_at_end_ = false;
}

void tail_file::remember(const char* bytes, std::size_t n) {
  const auto fresh = std::min(n, most_remembered);
  if (last_.size() + fresh > most_remembered) last_.erase(0, last_.size() + fresh - most_remembered);
  last_.append(bytes + n - fresh, fresh);
}

bool tail_file::was_rewritten() const {
  char now[most_remembered];
  const auto got = read_at(offset_ - last_.size(), now, last_.size());
  return std::string_view{now, got} != last_;
}

std::size_t tail_file::read_at(std::uint64_t offset, char* to, std::size_t n) const {
  for (;;) {
    const auto got = pread(file_, to, n, static_cast<off_t>(offset));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) cannot_read_file(path_, errno);
  }
}

file_place tail_file::place_at(std::uint64_t offset) const {
  if (file_ < 0) return {};
  return {inode_, offset, hash_before(offset)};
}

std::uint64_t tail_file::hash_before(std::uint64_t offset) const {
  char bytes[most_remembered];
  const auto n = std::min<std::uint64_t>(offset, most_remembered);
  return hash_bytes(bytes, read_at(offset - n, bytes, n));
}

void tail_file::open_again(const file_place& place) {
  if (place.inode == 0) return;
  const auto fail = [&](const std::string& what) {
    throw data_error{"cannot go on in '" + path_ + "' at byte " + std::to_string(place.offset) + ": " + what +
                     ", so rows may be lost\n  help: put the file that was read back beside it, or start the job afresh"};
  };
  auto found = open_path(path_);
  if (found.file >= 0 && found.inode != place.inode) {
    close(found.file);
    found = {};
  }
  if (found.file < 0)
    if (const auto name = name_of(place.inode)) found = open_path(*name);
  if (found.file < 0) fail("it is another file now, and the one that was read is gone");
  adopt(found);
  if (found.size < place.offset || hash_before(place.offset) != place.before) fail("it was written anew");
}

std::optional<std::string> tail_file::name_of(std::uint64_t inode) const {
  const std::filesystem::path file{path_};
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path{"."};
  std::error_code ignored;
  for (std::filesystem::directory_iterator at{folder, ignored}, end; at != end; at.increment(ignored)) {
    struct stat about {};
    if (stat(at->path().c_str(), &about) == 0 && S_ISREG(about.st_mode) && about.st_ino == inode) return at->path().string();
  }
  return std::nullopt;
}

}  // namespace spillway::detail
