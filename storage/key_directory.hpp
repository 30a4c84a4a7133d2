#pragma once
#include "storage/key_table.hpp"

#include <cstdint>
#include <vector>

namespace spillway {

/// Gives each key with state a small number, so that several states of an operator share one look-up. Numbers of erased keys are
/// used again. One thread at a time.
template <class K>
class key_directory {
 public:
  key_directory(key_groups groups, std::uint32_t subtask) : numbers_(groups, subtask) {}

  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const noexcept { numbers_.prefetch(hash); }

  /// The number of `key`, which it gets now if it has none.
  template <class Key>
  std::uint32_t at(std::uint64_t hash, const Key& key) {
    const auto next = spare();
    const auto number = numbers_.at(hash, key, next);
    if (number != next) return number;
    // `next` was free, so the key is new.
    if (free_.empty())
      ++used_;
    else
      free_.pop_back();
    return number;
  }

  /// The number that the next new key gets.
  std::uint32_t spare() const noexcept { return free_.empty() ? used_ : free_.back(); }

  /// The number of `key`, or null.
  const std::uint32_t* find(std::uint64_t hash, const K& key) noexcept { return numbers_.find(hash, key); }

  void erase(std::uint64_t hash, const K& key) {
    if (const auto* number = numbers_.find(hash, key)) {
      free_.push_back(*number);
      numbers_.erase(hash, key);
    }
  }

  std::size_t size() const noexcept { return numbers_.size(); }

  using cursor = typename key_table<K, std::uint32_t>::cursor;

  /// As `key_table::walk`, with the key's number.
  template <class F>
  bool walk(cursor& at, F&& f) {
    return numbers_.walk(at, [&](const K& key, std::uint32_t& number) { return f(key, number); });
  }

 private:
  key_table<K, std::uint32_t> numbers_;
  std::vector<std::uint32_t> free_;
  std::uint32_t used_ = 0;
};

}  // namespace spillway
