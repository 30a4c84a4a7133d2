#include "actors/caf/threads.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <future>
#include <thread>
#include <vector>

namespace spillway {

namespace {

/// The system counts a thread for a moment longer than it can be joined.
void wait_until_gone(pid_t thread) {
  for (int tries = 0; tries < 10'000 && syscall(SYS_tgkill, getpid(), thread, 0) == 0; ++tries) std::this_thread::yield();
}

}  // namespace

void check_threads(std::size_t n) {
  std::vector<pid_t> ids(n);
  {
    std::vector<std::jthread> threads;
    // Let go before they are joined, also by an exception.
    std::promise<void> go;
    struct release {
      std::promise<void>& go;
      ~release() { go.set_value(); }
    } const release{go};
    const auto gone = go.get_future().share();
    for (auto& id : ids)
      threads.emplace_back([&id, gone] {
        id = static_cast<pid_t>(syscall(SYS_gettid));
        gone.wait();
      });
  }
  for (const auto id : ids) wait_until_gone(id);
}

std::string no_thread_text(const std::string& whom, const std::system_error& why) {
  return "could not start a thread for " + whom + ": " + why.code().message() +
         "\n  help: lower the parallelism, or raise the limit on threads (ulimit -u)";
}

}  // namespace spillway
