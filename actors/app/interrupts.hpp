#pragma once

#include <array>
#include <csignal>

namespace spillway {

/// Handles SIGINT, SIGTERM and SIGHUP as long as it lives: the first one is counted, the second ends the program with exit code
/// 130, but for SIGHUP, which comes twice when a terminal goes. What handled them before does so again afterwards. One that is
/// ignored stays so. One object at a time.
class interrupts {
 public:
  interrupts();
  ~interrupts();
  interrupts(const interrupts&) = delete;
  interrupts& operator=(const interrupts&) = delete;

  /// True once there was one.
  bool any() const noexcept;

 private:
  std::array<struct sigaction, 3> before_{};
};

}  // namespace spillway
