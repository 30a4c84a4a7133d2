#include "actors/sinks/part_files.hpp"

#include "messages/errors.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace spillway::detail {
namespace {

namespace fs = std::filesystem;

/// So much text is kept before it is written.
constexpr std::size_t large = 256 * 1024;

std::string open_name(const std::string& name) { return name + ".part"; }
std::string pending_name(const std::string& name) { return name + ".pending.part"; }

const char* help_for(int error) {
  switch (error) {
    case ENOSPC:
      return "free some space on that disk, or write to another";
    case EACCES:
      return "give this user the right to write to its folder";
    case ENOTDIR:
    case EEXIST:
      return "a part of the path is a file where a folder is needed, or another program writes files of these names";
    case ENOENT:
      return "leave the files of a folder alone while a job writes to it";
    default:
      return "check the path and its disk";
  }
}

/// The number in `part-2-17.csv.part` behind the prefix `part-2-`; 0 if there is none.
std::uint64_t number_in(const std::string& name, const std::string& prefix) {
  std::uint64_t n = 0;
  if (!name.starts_with(prefix)) return 0;
  const auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), n);
  return error == std::errc{} && *end == '.' ? n : 0;
}

bool there(const std::string& path) {
  struct stat about {};
  return lstat(path.c_str(), &about) == 0;
}

int sync_folder(const std::string& folder) {
  const auto file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return errno;
  const auto error = fsync(file) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
  ::close(file);
  return error;
}

/// Gives a file another name, unless there is one of that name. Returns the error.
int rename_to_new(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // The file system cannot do both at once.
  if (there(to)) return EEXIST;
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

}  // namespace

part_files::clock part_files::clock_of(const sink_context& context) {
  if (context.clock) return [clock = context.clock] { return clock->now(); };
  return &std::chrono::steady_clock::now;
}

part_files::part_files(std::string folder, std::string ending, roll when, const sink_context& context, clock now)
    : folder_(std::move(folder)),
      prefix_("part-" + std::to_string(context.subtask) + '-'),
      ending_(std::move(ending)),
      when_(when),
      checkpoints_(context.checkpoints),
      now_(now ? std::move(now) : clock_of(context)) {
  if (folder_.empty()) throw pipeline_error{"step '" + context.step + "' needs a folder to write parts to"};
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) fail("", failed.value());
  for (fs::directory_iterator at{folder_, failed}, end; !failed && at != end; at.increment(failed))
    next_ = std::max(next_, number_in(at->path().filename().string(), prefix_) + 1);
  if (failed) fail("", failed.value());
}

part_files::~part_files() {
  if (file_ < 0) return;
  unlink(path(open_name(name_)).c_str());
  ::close(file_);
}

std::string& part_files::text() {
  if (file_ < 0) open();
  return text_;
}

std::size_t part_files::room(std::size_t rows) const noexcept {
  return when_.rows == 0 ? rows : static_cast<std::size_t>(std::min<std::uint64_t>(rows, when_.rows - rows_));
}

void part_files::wrote(std::size_t rows) {
  rows_ += rows;
  if (due())
    finish();
  else if (text_.size() >= large)
    write();
}

void part_files::flush() {
  if (file_ < 0) return;
  if (due())
    finish();
  else
    write();
}

std::optional<std::chrono::microseconds> part_files::ends_in() const {
  constexpr std::chrono::microseconds least{1000};
  if (file_ < 0 || when_.every.count() == 0) return std::nullopt;
  return std::max(least, std::chrono::ceil<std::chrono::microseconds>(since_ + when_.every - now_()));
}

bool part_files::due() const {
  return (when_.rows != 0 && rows_ >= when_.rows) || (when_.bytes != 0 && bytes_ + text_.size() >= when_.bytes) ||
         (when_.every.count() != 0 && now_() - since_ >= when_.every);
}

void part_files::open() {
  for (;; ++next_) {
    name_ = prefix_ + std::to_string(next_) + ending_;
    const auto file = path(open_name(name_));
    file_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0 && errno != EEXIST) fail(name_, errno);
    if (file_ < 0) continue;
    // Another job writes to the folder, too. It may be about to rename its part from the first name to the second.
    if (!there(path(pending_name(name_))) && !there(path(name_))) break;
    unlink(file.c_str());
    ::close(std::exchange(file_, -1));
  }
  ++next_;
  bytes_ = rows_ = 0;
  if (when_.every.count() != 0) since_ = now_();
}

void part_files::write() {
  std::string_view left = text_;
  while (!left.empty()) {
    const auto written = ::write(file_, left.data(), left.size());
    if (written >= 0)
      left.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      fail(name_, errno);
  }
  bytes_ += text_.size();
  text_.clear();
}

void part_files::finish() {
  write();
  if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail(name_, errno);
  if (const auto error = rename_to_new(path(open_name(name_)), path(pending_name(name_)))) fail(name_, error);
  ::close(std::exchange(file_, -1));
  pending_.push_back(name_);
  if (checkpoints_) return;
  commit(prepare());
}

commit_token part_files::prepare() {
  if (file_ >= 0) {
    // Without checkpoints it commits what it finishes, which must not come here again.
    const auto later = std::exchange(checkpoints_, true);
    finish();
    checkpoints_ = later;
  }
  if (pending_.empty()) return {};
  if (const auto error = sync_folder(folder_)) fail("", error);
  return saved::of(part_names{std::exchange(pending_, {})});
}

void part_files::commit(const commit_token& token) const {
  if (token.empty()) return;
  for (const auto& name : token.as<part_names>().names) {
    const auto from = path(pending_name(name)), to = path(name);
    const auto error = rename_to_new(from, to);
    // Committed before.
    if (error == ENOENT && there(to)) continue;
    if (error != 0) fail(name, error);
  }
  if (const auto error = sync_folder(folder_)) fail("", error);
}

void part_files::fail(const std::string& name, int error) const {
  throw std::runtime_error{"cannot write '" + (name.empty() ? folder_ : path(name)) +
                           "': " + std::generic_category().message(error) + "\n  help: " + help_for(error)};
}

}  // namespace spillway::detail
