#pragma once
#include "actors/job.hpp"
#include "actors/operators/rows.hpp"
#include "messages/keyed.hpp"
#include "messages/type_text.hpp"
#include "storage/key_table.hpp"

#include <algorithm>
#include <functional>
#include <typeinfo>

namespace spillway::detail {

/// True if a key may hold a number whose canonical form differs from it.
template <class K>
consteval bool holds_floats() {
  if constexpr (std::is_floating_point_v<K>) {
    return true;
  } else if constexpr (is_duration<K>) {
    return std::is_floating_point_v<typename K::rep>;
  } else if constexpr (is_time_point<K>) {
    return std::is_floating_point_v<typename K::rep>;
  } else if constexpr (scalar<K> || std::is_same_v<K, std::string>) {
    return false;
  } else if constexpr (optional_like<K> || list_like<K>) {
    return holds_floats<typename K::value_type>();
  } else {
    return !std::is_same_v<K, no_key>;
  }
}

/// The keys of rows in canonical form, and their hashes a block at a time.
template <class T, class KeyOf>
class keyed_rows {
 public:
  using key_type = std::remove_cvref_t<std::invoke_result_t<const KeyOf&, const T&>>;

  explicit keyed_rows(KeyOf key_of) : key_of_(std::move(key_of)) {}

  /// The hashes of `n` rows from `at` on, with their slots in `table` on the way to the cache. Valid until the next call.
  template <class Table>
  const std::uint64_t* look_ahead(const batch_of<T>& rows, std::size_t at, std::size_t n, const Table& table) {
    const std::uint64_t* hashes = hashes_;
    if (!rows.hashes.empty()) {
      hashes = rows.hashes.data() + at;
      for (std::size_t i = 0; i < n; ++i) table.prefetch(hashes[i]);
      return hashes;
    }
    const auto* from = rows.data() + at;
    std::size_t i = 0;
    try {
      for (; i < n; ++i) {
        hashes_[i] = key_hash<key_type>(key_of_(from[i]));
        table.prefetch(hashes_[i]);
      }
    } catch (...) {
      fail_on_row(from[i], in_key_function);
    }
    return hashes;
  }

  decltype(auto) key(const T& row) const {
    if constexpr (holds_floats<key_type>())
      return canonical<key_type>(key_of_(row));
    else
      return key_of_(row);
  }

 private:
  KeyOf key_of_;
  std::uint64_t hashes_[lookup_block];
};

/// The integer that was asked for, if it was one.
struct asked_number {
  std::uint64_t bits = 0;
  bool negative = false;
};
bool find_number(const question& q, asked_number& n);

[[noreturn]] void no_such_key(const question& q, const std::type_info& wanted);
[[noreturn]] void wrong_key(const question& q, const std::type_info& wanted);

/// A key as it was asked for, as a `K`. Throws `query_error` naming both types.
template <class K>
K key_from(const question& q) {
  if (const auto* key = std::any_cast<K>(&q.key)) return canonical(*key);
  if constexpr (std::is_integral_v<K>) {
    if (asked_number n; find_number(q, n)) {
      const auto key = static_cast<K>(n.bits);
      auto negative = false;
      if constexpr (std::is_signed_v<K>) negative = key < 0;
      if (static_cast<std::uint64_t>(key) == n.bits && negative == n.negative) return key;
      no_such_key(q, typeid(K));
    }
  }
  wrong_key(q, typeid(K));
}

/// Throws `query_error` if `q` asks for more than a value, or for a value of another type. True if that is
/// `optional`, not `type`.
bool check_value_query(const question& q, const std::type_info& type, const std::type_info& optional);
[[noreturn]] void no_value(const question& q);

/// `value` as the reply that was asked for: itself, or an optional of it; null if there is none.
template <class R>
std::any reply_with(const question& q, const R* value) {
  if (check_value_query(q, typeid(R), typeid(std::optional<R>))) return value ? std::optional<R>{*value} : std::optional<R>{};
  if (!value) no_value(q);
  return *value;
}

}  // namespace spillway::detail
