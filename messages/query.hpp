#pragma once
#include <any>
#include <cstdint>
#include <string>
#include <typeindex>

namespace spillway {

/// A question to the operator of one key. `key` holds a `std::int64_t`, a `std::uint64_t`, a
/// `std::string` or the key type itself.
struct question {
  std::string step;
  /// Of the key: it decides which subtask is asked.
  std::uint64_t hash = 0;
  std::any key;
  std::any query;
  std::type_index reply = typeid(void);
};

/// `query` of a question that only wants the value of the key.
struct value_query {};

/// An answer, or the text of a `query_error`.
struct answer {
  std::any value;
  std::string error;
};

}  // namespace spillway
