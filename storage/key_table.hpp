#pragma once
// The heap table for keyed state: open addressing, one table for each key group, looked up a batch at a time.
#include "messages/key.hpp"
#include "storage/slot_memory.hpp"

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace spillway {

/// How many rows are looked up together: their slots are fetched before the first is used, so that cache misses overlap.
inline constexpr std::size_t lookup_block = 256;

/// One value for each key of the key groups that a subtask owns. The group comes from the top bits of a hash and the slot from
/// the low ones, so that each group can be moved, copied or dropped alone, and grows alone.
///
/// Keys are in canonical form. References to values are valid until the next insertion or erasure. One thread at a time.
template <class K, class V>
class key_table {
 public:
  key_table(key_groups groups, std::uint32_t subtask)
      : shift_(64 - static_cast<unsigned>(std::countr_zero(groups.count()))),
        first_(groups.first_of(subtask)),
        count_(groups.first_of(subtask + 1) - first_),
        groups_(allocate_groups(count_, 8, sizeof(slot))) {}
  key_table(key_table&& o) noexcept
      : shift_(o.shift_), first_(o.first_), count_(std::exchange(o.count_, 0)), groups_(std::exchange(o.groups_, nullptr)) {}
  key_table& operator=(key_table&& o) noexcept {
    std::swap(shift_, o.shift_);
    std::swap(first_, o.first_);
    std::swap(count_, o.count_);
    std::swap(groups_, o.groups_);
    return *this;
  }
  ~key_table() {
    if constexpr (!std::is_trivially_destructible_v<K> || !std::is_trivially_destructible_v<V>)
      for (std::size_t g = 0; g < count_; ++g) destroy(groups_[g]);
    free_groups(groups_, count_, sizeof(slot));
  }

  /// Starts to load the slot where the search for `hash` begins. Always inline: g++ 12 takes a call of it for one without effect.
  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const noexcept {
    const auto& g = group(hash);
    __builtin_prefetch(slots(g) + (tag_of(hash) & g.mask), 1);
  }

  /// The value of `key`; a new key starts with a copy of `initial`.
  template <class Key>
  V& at(std::uint64_t hash, const Key& key, const V& initial) {
    auto& g = group(hash);
    const auto tag = tag_of(hash);
    auto* const from = slots(g);
    for (auto i = tag & g.mask;; i = (i + 1) & g.mask) {
      auto& s = from[i];
      if (s.tag == tag && same_key<K>(s.key(), key)) [[likely]]
        return s.value();
      if (s.tag == 0) return insert(g, i, hash, key, initial);
    }
  }

  V* find(std::uint64_t hash, const K& key) noexcept {
    auto& g = group(hash);
    const auto tag = tag_of(hash);
    auto* s = slots(g);
    for (auto i = tag & g.mask; s[i].tag != 0; i = (i + 1) & g.mask)
      if (s[i].tag == tag && same_key<K>(s[i].key(), key)) return &s[i].value();
    return nullptr;
  }

  /// Removes `key` if it is there.
  void erase(std::uint64_t hash, const K& key) noexcept {
    auto& g = group(hash);
    const auto tag = tag_of(hash);
    auto* s = slots(g);
    for (auto i = tag & g.mask; s[i].tag != 0; i = (i + 1) & g.mask)
      if (s[i].tag == tag && same_key<K>(s[i].key(), key)) return close_gap(g, i);
  }

  std::size_t size() const noexcept {
    std::size_t n = 0;
    for (std::size_t g = 0; g < count_; ++g) n += groups_[g].used;
    return n;
  }

  /// A place in the table, for walks that stop and go on. Valid until the next insertion or erasure.
  struct cursor {
    std::size_t group = 0, slot = 0;
  };

  /// Calls `f(key, value)` for each entry from `at` on, by key group, until it returns false. True when all were visited.
  template <class F>
  bool walk(cursor& at, F&& f) {
    for (; at.group < count_; ++at.group, at.slot = 0) {
      auto& g = groups_[at.group];
      while (at.slot <= g.mask) {
        auto& s = slots(g)[at.slot++];
        if (s.tag != 0 && !f(std::as_const(s.key()), s.value())) return false;
      }
    }
    return true;
  }

 private:
  /// `tag` is the hash, or 0 if the slot is free. The search for a key begins where its tag says.
  struct slot {
    std::uint64_t tag;
    alignas(K) std::byte key_bytes[sizeof(K)];
    alignas(V) std::byte value_bytes[sizeof(V)];

    K& key() noexcept { return *std::launder(reinterpret_cast<K*>(key_bytes)); }
    V& value() noexcept { return *std::launder(reinterpret_cast<V*>(value_bytes)); }
    void clear() noexcept {
      key().~K();
      value().~V();
      tag = 0;
    }
  };

  static slot* slots(const slot_group& g) noexcept { return static_cast<slot*>(g.slots); }

  static void destroy(slot_group& g) noexcept {
    for (std::size_t i = 0; i <= g.mask; ++i)
      if (slots(g)[i].tag != 0) slots(g)[i].clear();
  }

  static std::uint64_t tag_of(std::uint64_t hash) noexcept { return hash != 0 ? hash : 1; }

  /// In two shifts, as one group leaves no bits.
  std::size_t index(std::uint64_t hash) const noexcept { return (hash >> 1 >> (shift_ - 1)) - first_; }
  slot_group& group(std::uint64_t hash) noexcept { return groups_[index(hash)]; }
  const slot_group& group(std::uint64_t hash) const noexcept { return groups_[index(hash)]; }

  template <class Key>
  [[gnu::noinline]] V& insert(slot_group& g, std::size_t i, std::uint64_t hash, const Key& key, const V& initial) {
    if (crowded(g)) {
      grow(g);
      i = free_slot(g, tag_of(hash));
    }
    auto& s = slots(g)[i];
    new (s.key_bytes) K(key);
    new (s.value_bytes) V(initial);
    s.tag = tag_of(hash);
    ++g.used;
    return s.value();
  }

  /// Small tables stay at most a quarter full: they fit the cache anyway, and a search that ends at its first slot is predicted
  /// well.
  static bool crowded(const slot_group& g) noexcept {
    const auto slots = g.mask + 1;
    return slots * sizeof(slot) <= 4096 ? (g.used + 1) * 4 > slots : (g.used + 1) * 8 > slots * 5;
  }

  static std::size_t free_slot(const slot_group& g, std::uint64_t tag) noexcept {
    auto i = tag & g.mask;
    while (slots(g)[i].tag != 0) i = (i + 1) & g.mask;
    return i;
  }

  static void move_slot(slot& to, slot& from) noexcept {
    new (to.key_bytes) K(std::move(from.key()));
    new (to.value_bytes) V(std::move(from.value()));
    to.tag = from.tag;
    from.clear();
  }

  static void grow(slot_group& g) {
    const slot_group larger{allocate_slots((g.mask + 1) * 2 * sizeof(slot)), (g.mask + 1) * 2 - 1, g.used};
    auto* from = slots(g);
    for (std::size_t i = 0; i <= g.mask; ++i)
      if (from[i].tag != 0) move_slot(slots(larger)[free_slot(larger, from[i].tag)], from[i]);
    free_slots(from, (g.mask + 1) * sizeof(slot));
    g = larger;
  }

  /// Entries after a removed one move up, so that no search ends at the gap.
  static void close_gap(slot_group& g, std::size_t gap) noexcept {
    auto* s = slots(g);
    s[gap].clear();
    --g.used;
    for (auto i = (gap + 1) & g.mask; s[i].tag != 0; i = (i + 1) & g.mask) {
      const auto home = s[i].tag & g.mask;
      if (((i - home) & g.mask) < ((i - gap) & g.mask)) continue;
      move_slot(s[gap], s[i]);
      gap = i;
    }
  }

  unsigned shift_;
  std::uint32_t first_, count_;
  slot_group* groups_;
};

}  // namespace spillway
