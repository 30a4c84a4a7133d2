#include "support/machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

namespace bench {

cpu_times cpu_times::now() {
  std::ifstream stat{"/proc/stat"};
  std::string word;
  stat >> word;
  const auto tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  cpu_times t;
  double ticks = 0;
  for (int column = 0; column < 8 && stat >> ticks; ++column) {
    t.all += ticks * tick;
    if (column == 3 || column == 4) t.idle += ticks * tick;
  }
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  const auto seconds = [](const timeval& v) { return static_cast<double>(v.tv_sec) + 1e-6 * static_cast<double>(v.tv_usec); };
  t.own = seconds(own.ru_utime) + seconds(own.ru_stime);
  return t;
}

cpu_times operator-(const cpu_times& a, const cpu_times& b) { return {a.all - b.all, a.idle - b.idle, a.own - b.own}; }
cpu_times operator+(const cpu_times& a, const cpu_times& b) { return {a.all + b.all, a.idle + b.idle, a.own + b.own}; }

double idle_share(std::chrono::milliseconds d) {
  const auto before = cpu_times::now();
  std::this_thread::sleep_for(d);
  const auto passed = cpu_times::now() - before;
  return passed.all > 0 ? passed.idle / passed.all : 1;
}

double idle_share_before(std::chrono::seconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  auto idle = idle_share();
  while (idle <= 0.9 && std::chrono::steady_clock::now() < until) idle = idle_share();
  return idle;
}

double share_of_others(const cpu_times& during) {
  if (during.all <= 0) return 0;
  const auto others = during.all - during.idle - during.own;
  return others > 0 ? others / during.all : 0;
}

std::uint64_t held_memory(pid_t process) {
  std::ifstream status{"/proc/" + std::to_string(process) + "/status"};
  std::uint64_t kib = 0;
  for (std::string line; std::getline(status, line);) {
    std::istringstream in{line};
    std::string name;
    std::uint64_t n = 0;
    if (in >> name >> n && (name == "RssAnon:" || name == "RssShmem:")) kib += n;
  }
  return kib * 1024;
}

std::string short_count(std::uint64_t n) {
  if (n >= 1'000'000 && n % 1'000'000 == 0) return std::to_string(n / 1'000'000) + " M";
  if (n >= 1'000 && n % 1'000 == 0) return std::to_string(n / 1'000) + " k";
  return std::to_string(n);
}

}  // namespace bench
