#pragma once
// What else the machine was doing.
#include <sys/types.h>
#include <chrono>
#include <cstdint>
#include <string>

namespace bench {

/// CPU time since some start, in seconds: of all cores together, of those the idle part, and of this process.
struct cpu_times {
  double all = 0, idle = 0, own = 0;

  static cpu_times now();
};

cpu_times operator-(const cpu_times& a, const cpu_times& b);
cpu_times operator+(const cpu_times& a, const cpu_times& b);

/// The idle share of the machine during the next `d`, which this call sleeps.
double idle_share(std::chrono::milliseconds d = std::chrono::milliseconds{300});

/// The idle share just before something is measured. Waits up to `patience` for it to be above 90 %.
double idle_share_before(std::chrono::seconds patience);

/// The share of the machine that other processes took.
double share_of_others(const cpu_times& during);

/// Bytes of memory that a process cannot give back: RssAnon and RssShmem. 0 if it is gone.
std::uint64_t held_memory(pid_t process);

/// "4 M", "10 k", "17".
std::string short_count(std::uint64_t n);

}  // namespace bench
