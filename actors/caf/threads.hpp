#pragma once
#include <cstddef>
#include <string>
#include <system_error>

namespace spillway {

/// Throws `std::system_error` if the process cannot have `n` more threads at once. An actor system that cannot start its threads
/// would end the program.
void check_threads(std::size_t n);

/// Why there is no thread for `whom`, and what to do.
std::string no_thread_text(const std::string& whom, const std::system_error& why);

}  // namespace spillway
