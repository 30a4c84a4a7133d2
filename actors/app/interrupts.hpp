#pragma once

#include <csignal>

namespace spillway {

/// Handles SIGINT as long as it lives: the first one is counted, the second ends the program with exit code 130. What handled it
/// before does so again afterwards. A SIGINT that is ignored stays so. One at a time.
class interrupts {
 public:
  interrupts();
  ~interrupts();
  interrupts(const interrupts&) = delete;
  interrupts& operator=(const interrupts&) = delete;

  /// True once there was one.
  bool any() const noexcept;

 private:
  struct sigaction before_ {};
};

}  // namespace spillway
