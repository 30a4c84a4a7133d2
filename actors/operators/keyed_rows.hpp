#pragma once
#include "actors/job.hpp"
#include "actors/operators/rows.hpp"
#include "messages/keyed.hpp"
#include "messages/type_text.hpp"
#include "storage/key_table.hpp"

#include <algorithm>
#include <array>
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
    const std::uint64_t* hashes = hashes_.data();
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
  std::array<std::uint64_t, lookup_block> hashes_;
};

/// `n` as a `K`. Throws `query_error` if that is another number.
template <class K, class N>
K same_number(const question& q, N n) {
  const auto key = static_cast<K>(n);
  auto same = static_cast<N>(key) == n;
  if constexpr (std::is_signed_v<N> && std::is_unsigned_v<K>) same = same && n >= 0;
  if constexpr (std::is_unsigned_v<N> && std::is_signed_v<K>) same = same && key >= 0;
  if (!same) throw query_error("step '" + q.step + "': " + std::to_string(n) + " does not fit its key type, " + type_text<K>());
  return key;
}

/// A key as it was asked for, as a `K`. Throws `query_error` naming both types.
template <class K>
K key_from(const question& q) {
  if (const auto* key = std::any_cast<K>(&q.key)) return canonical(*key);
  if constexpr (std::is_integral_v<K>) {
    if (const auto* n = std::any_cast<std::int64_t>(&q.key)) return same_number<K>(q, *n);
    if (const auto* n = std::any_cast<std::uint64_t>(&q.key)) return same_number<K>(q, *n);
  }
  throw query_error("step '" + q.step + "' has keys of type " + type_text<K>() + ", but was asked with " +
                    type_text(q.key.type()));
}

/// `value` as the reply that was asked for: itself, or an optional of it; null if there is none.
template <class R>
std::any reply_with(const question& q, const R* value) {
  if (q.query.type() != typeid(value_query))
    throw query_error("step '" + q.step + "' answers only with its value, but was asked a " + type_text(q.query.type()));
  if (q.reply == typeid(std::optional<R>)) return value ? std::optional<R>{*value} : std::optional<R>{};
  if (q.reply != typeid(R))
    throw query_error("step '" + q.step + "' replies with " + type_text<R>() + ", but " + type_text(q.reply) + " was asked for");
  if (!value) throw query_error("step '" + q.step + "' has no value for this key (ask for a std::optional to allow that)");
  return *value;
}

}  // namespace spillway::detail
