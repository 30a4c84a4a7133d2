#include "actors/app/interrupts.hpp"

#include <unistd.h>

#include <atomic>

namespace spillway {
namespace {

std::atomic<int> seen{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not take locks");

constexpr std::array handled{SIGINT, SIGTERM, SIGHUP};

extern "C" void count_interrupt(int number) {
  if (seen.fetch_add(1) > 0 && number != SIGHUP) _exit(130);
}

}  // namespace

interrupts::interrupts() {
  seen = 0;
  struct sigaction mine {};
  mine.sa_handler = count_interrupt;
  sigemptyset(&mine.sa_mask);
  mine.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < handled.size(); ++i) {
    sigaction(handled[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(handled[i], &mine, nullptr);
  }
}

interrupts::~interrupts() {
  for (std::size_t i = 0; i < handled.size(); ++i) sigaction(handled[i], &before_[i], nullptr);
}

bool interrupts::any() const noexcept { return seen.load() > 0; }

}  // namespace spillway
