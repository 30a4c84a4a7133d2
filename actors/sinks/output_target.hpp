#pragma once
#include <optional>
#include <string>

namespace spillway::detail {

/// Where a file is written that goes by `path`: what a symbolic link leads to, else `path` itself.
std::string target_of(const std::string& path);

/// The name of a file until it is whole.
std::string part_of(const std::string& target);

/// What is at `path` if no file can be written there, such as "a folder"; null if one can.
const char* not_writable(const std::string& path);

/// False if what is at `path` is written as it comes, see `open_stream`.
bool made_whole(const std::string& path);

/// Opens what is at `path`, for writing only, if it is written as it comes: a pipe, a device such as /dev/null, or what is open
/// as standard output or error. Null if it is a file that is replaced as a whole, or nothing yet; -1 with `errno` set if it
/// cannot be opened. Waits until a named pipe has a reader.
std::optional<int> open_stream(const std::string& path);

/// `file`, but not as 0, 1 or 2, which are free if the program was started without: what is printed would come into it. Takes
/// `file` over; -1, with `errno` set, if it is -1 or cannot be moved.
int above_stderr(int file);

}  // namespace spillway::detail
