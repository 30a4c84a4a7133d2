#include "support/arguments.hpp"

#include <cstdio>
#include <cstdlib>

namespace bench {

arguments::arguments(int argc, char** argv, std::string about) : help_(std::move(about) + "\n\n") {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--help")
      help_asked_ = true;
    else if (name.rfind("--", 0) == 0 && i + 1 < argc)
      given_.push_back({name.substr(2), argv[++i]});
    else
      wrong_ = name;
  }
}

std::uint64_t arguments::number(const std::string& name, std::uint64_t otherwise, const std::string& help) {
  return static_cast<std::uint64_t>(real(name, static_cast<double>(otherwise), help));
}

double arguments::real(const std::string& name, double otherwise, const std::string& help) {
  char shown[32];
  std::snprintf(shown, sizeof shown, "%.15g", otherwise);
  const auto value = text(name, shown, help);
  char* end = nullptr;
  const auto x = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != 0 || !(x >= 0)) wrong_ = "--" + name + " " + value;
  return x;
}

std::string arguments::text(const std::string& name, const std::string& otherwise, const std::string& help) {
  help_ += "  --" + name + "  " + help + " (" + (otherwise.empty() ? "all" : otherwise) + ")\n";
  const auto* value = find(name);
  return value ? *value : otherwise;
}

const std::string* arguments::find(const std::string& name) {
  const std::string* last = nullptr;
  for (auto& g : given_)
    if (g.name == name) {
      g.used = true;
      last = &g.value;
    }
  return last;
}

void arguments::done() {
  if (help_asked_) {
    std::fputs(help_.c_str(), stdout);
    std::exit(0);
  }
  for (const auto& g : given_)
    if (!g.used) wrong_ = "--" + g.name;
  if (wrong_.empty()) return;
  std::fprintf(stderr, "not understood: %s\n%s", wrong_.c_str(), help_.c_str());
  std::exit(2);
}

}  // namespace bench
