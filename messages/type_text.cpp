#include "messages/type_text.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace spillway {

std::string type_text(std::type_index type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text{abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free};
  std::string name = status == 0 ? text.get() : type.name();
  const std::string longhand = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  for (auto at = name.find(longhand); at != std::string::npos; at = name.find(longhand))
    name.replace(at, longhand.size(), "std::string");
  return name;
}

}  // namespace spillway
