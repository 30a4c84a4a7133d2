#pragma once
// Keys: their canonical form, their stable hash, and the one order (hash, then key) that routing, tables and stored data share.
#include "messages/record.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace spillway {

/// The key of a stream that is one group: it has no column.
struct no_key {
  friend constexpr auto operator<=>(const no_key&, const no_key&) = default;
};
BOOST_DESCRIBE_STRUCT(no_key, (), ())

/// XXH3 of `size` bytes. The same in every process, build and machine.
std::uint64_t hash_bytes(const void* bytes, std::size_t size) noexcept;

/// A bijection of 64-bit numbers in which each bit of `x` changes about half of the bits of the result.
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
  return x ^ (x >> 32);
}

namespace detail {

constexpr std::uint64_t join_hashes(std::uint64_t sofar, std::uint64_t next) noexcept {
  return mix(std::rotl(sofar, 25) ^ next) + 0x9e3779b97f4a7c15U;
}

inline constexpr std::uint64_t empty_hash = 0x2545f4914f6cdd1dU;
inline constexpr std::uint64_t null_hash = 0x9fb21c651e98df25U;

template <class Number>
constexpr Number canonical_number(Number x) noexcept {
  if (x != x) return std::numeric_limits<Number>::quiet_NaN();
  return x == 0 ? Number{0} : x;
}

}  // namespace detail

/// The form of a key that is hashed, compared and stored: -0.0 becomes 0.0, every NaN the same NaN, all else stays.
template <record K>
K canonical(K key) {
  if constexpr (std::is_floating_point_v<K>) {
    return detail::canonical_number(key);
  } else if constexpr (detail::is_duration<K>) {
    return K{canonical(key.count())};
  } else if constexpr (detail::is_time_point<K>) {
    return K{canonical(key.time_since_epoch())};
  } else if constexpr (detail::optional_like<K>) {
    if (key) *key = canonical(std::move(*key));
    return key;
  } else if constexpr (detail::list_like<K>) {
    for (auto& e : key) e = canonical(std::move(e));
    return key;
  } else if constexpr (detail::tuple_like<K>) {
    return std::apply([](auto&... e) { return K{canonical(std::move(e))...}; }, key);
  } else if constexpr (detail::described<K>) {
    for_each_member(key, [](std::string_view, auto& m) { m = canonical(std::move(m)); });
    return key;
  } else {
    return key;
  }
}

/// The stable 64-bit hash of a key; equal keys in canonical form have equal hashes, whatever the width of an integer.
template <record K>
std::uint64_t key_hash(const K& key) noexcept {
  if constexpr (std::is_enum_v<K>) {
    return key_hash(static_cast<std::underlying_type_t<K>>(key));
  } else if constexpr (std::is_integral_v<K>) {
    return mix(static_cast<std::uint64_t>(key));
  } else if constexpr (std::is_floating_point_v<K>) {
    return mix(std::bit_cast<std::uint64_t>(detail::canonical_number(static_cast<double>(key))));
  } else if constexpr (detail::is_duration<K>) {
    return key_hash(key.count());
  } else if constexpr (detail::is_time_point<K>) {
    return key_hash(key.time_since_epoch().count());
  } else if constexpr (std::is_same_v<K, std::string>) {
    return hash_bytes(key.data(), key.size());
  } else if constexpr (detail::optional_like<K>) {
    return key ? detail::join_hashes(detail::empty_hash, key_hash(*key)) : detail::null_hash;
  } else if constexpr (detail::list_like<K>) {
    auto hash = mix(key.size());
    for (const auto& e : key) hash = detail::join_hashes(hash, key_hash(e));
    return hash;
  } else if constexpr (detail::tuple_like<K>) {
    auto hash = detail::empty_hash;
    std::apply([&](const auto&... e) { ((hash = detail::join_hashes(hash, key_hash(e))), ...); }, key);
    return hash;
  } else if constexpr (detail::described<K>) {
    auto hash = detail::empty_hash;
    for_each_member(key, [&](std::string_view, const auto& m) { hash = detail::join_hashes(hash, key_hash(m)); });
    return hash;
  } else {
    return hash_bytes(&key, sizeof(K));
  }
}

/// The order of two keys in canonical form: numbers by value (NaN last), strings by their bytes, null first, members one by one.
template <record K>
std::strong_ordering compare_keys(const K& a, const K& b) noexcept {
  if constexpr (std::is_floating_point_v<K>) {
    if (a < b) return std::strong_ordering::less;
    if (a > b) return std::strong_ordering::greater;
    return (a != a) <=> (b != b);
  } else if constexpr (detail::is_duration<K>) {
    return compare_keys(a.count(), b.count());
  } else if constexpr (detail::is_time_point<K>) {
    return compare_keys(a.time_since_epoch(), b.time_since_epoch());
  } else if constexpr (detail::scalar<K>) {
    return a <=> b;
  } else if constexpr (std::is_same_v<K, std::string>) {
    return a.compare(b) <=> 0;
  } else if constexpr (detail::optional_like<K>) {
    if (!a || !b) return a.has_value() <=> b.has_value();
    return compare_keys(*a, *b);
  } else if constexpr (detail::list_like<K>) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
      if (auto order = compare_keys(a[i], b[i]); order != 0) return order;
    return a.size() <=> b.size();
  } else if constexpr (detail::tuple_like<K>) {
    auto order = std::strong_ordering::equal;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void)((order = compare_keys(std::get<I>(a), std::get<I>(b)), order == 0) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<K>>{});
    return order;
  } else if constexpr (detail::described<K>) {
    auto order = std::strong_ordering::equal;
    boost::mp11::mp_for_each<detail::members_of<K>>([&](auto d) {
      if (order == 0) order = compare_keys(a.*d.pointer, b.*d.pointer);
    });
    return order;
  } else {
    return std::char_traits<char>::compare(reinterpret_cast<const char*>(&a), reinterpret_cast<const char*>(&b), sizeof(K)) <=> 0;
  }
}

/// Equality in canonical form, so NaN equals NaN.
template <record K>
bool same_key(const K& a, const K& b) noexcept {
  if constexpr (std::is_integral_v<K> || std::is_enum_v<K> || std::is_same_v<K, std::string>)
    return a == b;
  else
    return compare_keys(a, b) == 0;
}

/// True where hashing is as cheap as loading a hash: such hashes are computed again instead of travelling with the rows.
template <class K>
inline constexpr bool cheap_hash = detail::scalar<K> || std::is_same_v<K, no_key>;

/// How hashes map to key groups and key groups to subtasks. The top bits are the group, so that hash order is group order.
class key_groups {
 public:
  /// `groups` is a power of two and at least `subtasks`; both are at least 1.
  constexpr key_groups(std::uint32_t groups, std::uint32_t subtasks) noexcept
      : groups_(groups), subtasks_(subtasks), bits_(static_cast<std::uint32_t>(std::countr_zero(groups))) {}

  /// The default number of groups for a parallelism: 128, or 8 times the parallelism rounded up to a power of two.
  static constexpr std::uint32_t default_count(std::uint32_t parallelism) noexcept {
    return std::max<std::uint32_t>(128, std::bit_ceil(8 * parallelism));
  }

  constexpr std::uint32_t count() const noexcept { return groups_; }
  constexpr std::uint32_t subtasks() const noexcept { return subtasks_; }

  constexpr std::uint32_t group_of(std::uint64_t hash) const noexcept {
    return static_cast<std::uint32_t>(hash >> 1 >> (63 - bits_));
  }
  constexpr std::uint32_t owner_of_group(std::uint32_t group) const noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{group} * subtasks_) >> bits_);
  }
  constexpr std::uint32_t owner_of(std::uint64_t hash) const noexcept { return owner_of_group(group_of(hash)); }

  /// The first group that `subtask` owns; its last is one before `first_of(subtask + 1)`.
  constexpr std::uint32_t first_of(std::uint32_t subtask) const noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{subtask} * groups_ + subtasks_ - 1) / subtasks_);
  }

 private:
  std::uint32_t groups_, subtasks_, bits_;
};

}  // namespace spillway
