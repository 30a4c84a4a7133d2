#pragma once
#include <string>
#include <typeindex>

namespace spillway {

/// The name of a type as a programmer writes it, for messages.
std::string type_text(std::type_index type);

template <class T>
std::string type_text() {
  return type_text(typeid(T));
}

}  // namespace spillway
