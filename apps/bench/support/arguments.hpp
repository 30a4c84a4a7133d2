#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// `--name value` pairs of a command line. With `--help` the constructor's caller asks for all options first and `done` prints
/// them.
class arguments {
 public:
  arguments(int argc, char** argv, std::string about);

  std::uint64_t number(const std::string& name, std::uint64_t otherwise, const std::string& help);
  double real(const std::string& name, double otherwise, const std::string& help);
  std::string text(const std::string& name, const std::string& otherwise, const std::string& help);

  /// Ends the program with the help text if it was asked for, and with status 2 if an option is unknown or malformed.
  void done();

 private:
  struct given {
    std::string name, value;
    bool used = false;
  };

  const std::string* find(const std::string& name);

  std::vector<given> given_;
  std::string help_;
  std::string wrong_;
  bool help_asked_ = false;
};

}  // namespace bench
