#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace spillway::detail {

/// A place in a file, and how to know the file again.
struct file_place {
  std::uint64_t inode = 0, offset = 0;
  /// Of the bytes before `offset`, as numbers of inodes are used again.
  std::uint64_t before = 0;
};

/// The bytes of a file that grows, then those of each file that takes its name. There need be no such file yet, or for a while.
///
/// A file that lost its name is read to its end, and once more to what came between two looks at it, before the one that has
/// the name now is. Files that had the name only between two looks are missed. A file is taken to be written anew if it is
/// shorter than what was read of it, or the last bytes of that have changed.
///
/// Errors: `data_error` for a path that is no regular file or may not be read.
class tail_file {
 public:
  explicit tail_file(std::string path) : path_(std::move(path)) {}
  ~tail_file();
  tail_file(const tail_file&) = delete;
  tail_file& operator=(const tail_file&) = delete;

  struct look {
    enum class kind : std::uint8_t {
      bytes,
      /// There are none now.
      nothing,
      /// All of the file was read, and the next `read` begins with the one that has its name now.
      replaced,
      /// The next `read` begins with its first byte again.
      rewritten,
    };
    kind did = kind::nothing;
    std::size_t bytes = 0;
  };

  /// Reads at most `n` bytes to `to`.
  look read(char* to, std::size_t n);

  bool is_open() const noexcept { return file_ >= 0; }
  /// How much of this file was read.
  std::uint64_t offset() const noexcept { return offset_; }
  /// Bytes that are there and were not read.
  std::uint64_t behind() const;

  /// Opens the file if it is there.
  bool open();

  /// A place in the part of this file that was read; of no file if there is none.
  file_place place_at(std::uint64_t offset) const;

  /// Opens the file of a place that `place_at` gave, whatever its name in the folder is now, and reads on from its first byte.
  /// Throws `data_error` if it is not there, or was written anew.
  void open_again(const file_place& place);
  void go_to(std::uint64_t offset);

 private:
  struct opened {
    int file = -1;
    dev_t device = 0;
    ino_t inode = 0;
    std::uint64_t size = 0;
  };

  opened open_path(const std::string& path) const;
  void adopt(const opened& o);
  bool was_rewritten() const;
  look at_end();
  bool next_is_due();
  void forget_next();
  void remember(const char* bytes, std::size_t n);
  std::size_t read_at(std::uint64_t offset, char* to, std::size_t n) const;
  std::uint64_t hash_before(std::uint64_t offset) const;
  std::optional<std::string> name_of(std::uint64_t inode) const;

  std::string path_;
  int file_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::uint64_t offset_ = 0;
  /// The last bytes before `offset_`, up to 64 of them.
  std::string last_;
  /// The bytes that come next need not belong to those before.
  bool was_at_end_ = false;
  /// What had the name at the last look, if that was another file.
  opened next_;
};

}  // namespace spillway::detail
