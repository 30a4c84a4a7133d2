#pragma once
// The rows that the benches run on, and how they are made of row numbers.
#include "support/totals.hpp"

#include <spillway.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// 16 bytes.
struct pair_row {
  std::int64_t key = 0;
  std::int64_t value = 0;
};
BOOST_DESCRIBE_STRUCT(pair_row, (), (key, value))

/// 40 bytes.
struct wide_row {
  std::int64_t key = 0;
  std::int64_t value = 0;
  double price = 0;
  std::int32_t kind = 0;
  spillway::timestamp at{};
};
BOOST_DESCRIBE_STRUCT(wide_row, (), (key, value, price, kind, at))

struct text_row {
  std::string key;
  std::int64_t value = 0;
};
BOOST_DESCRIBE_STRUCT(text_row, (), (key, value))

/// A number from 0 to `keys` - 1 that looks random. `keys` fits 32 bits.
inline std::uint64_t random_key(std::uint64_t row, std::uint64_t keys) {
  auto x = (row + 1) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
  return ((x >> 32) * keys) >> 32;
}

/// All rows of a key have the same value, so that no order of them changes the sum of running sums.
inline std::int64_t value_of(std::uint64_t key) { return static_cast<std::int64_t>(1 + (key & 7)); }

/// Makes `r`, which holds some older row, the row of that number.
inline void make_row(std::uint64_t row, std::uint64_t keys, pair_row& r) {
  const auto key = random_key(row, keys);
  r = {static_cast<std::int64_t>(key), value_of(key)};
}

inline void make_row(std::uint64_t row, std::uint64_t keys, wide_row& r) {
  const auto key = random_key(row, keys);
  const auto n = static_cast<std::int64_t>(row);
  r = {static_cast<std::int64_t>(key), value_of(key), 0.5 * static_cast<double>(row), static_cast<std::int32_t>(key & 3),
       spillway::timestamp{spillway::timestamp::duration{n}}};
}

/// Keys of 8 to 24 characters.
inline void make_row(std::uint64_t row, std::uint64_t keys, text_row& r) {
  const auto key = random_key(row, keys);
  char text[] = "k0000000-abcdefghijklmnop";
  auto digits = key;
  for (int at = 7; at > 0 && digits > 0; --at, digits /= 10) text[at] = static_cast<char>('0' + digits % 10);
  r.key.assign(text, 8 + key % 17);
  r.value = value_of(key);
}

/// What the running sums of `rows` rows are together.
inline totals expected_running_sums(std::uint64_t rows, std::uint64_t keys) {
  std::vector<std::uint32_t> seen(keys);
  totals t{rows, 0};
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto key = random_key(row, keys);
    t.sum += value_of(key) * static_cast<std::int64_t>(++seen[key]);
  }
  return t;
}

}  // namespace bench
