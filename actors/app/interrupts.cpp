#include "actors/app/interrupts.hpp"

#include <unistd.h>

#include <atomic>

namespace spillway {
namespace {

std::atomic<int> seen{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not take locks");

extern "C" void count_interrupt(int) {
  if (seen.fetch_add(1) > 0) _exit(130);
}

}  // namespace

interrupts::interrupts() {
  seen = 0;
  sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN) return;
  struct sigaction mine {};
  mine.sa_handler = count_interrupt;
  sigemptyset(&mine.sa_mask);
  mine.sa_flags = SA_RESTART;
  sigaction(SIGINT, &mine, nullptr);
}

interrupts::~interrupts() { sigaction(SIGINT, &before_, nullptr); }

bool interrupts::any() const noexcept { return seen.load() > 0; }

}  // namespace spillway
