#include "messages/parse.hpp"

#include <bit>
#include <charconv>
#include <cstring>

namespace spillway::detail {
namespace {

template <class T>
parsed parse_all(std::string_view text, T& to) noexcept {
  const auto end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, to);
  if (error == std::errc::invalid_argument || at != end) return parsed::malformed;
  return error == std::errc{} ? parsed::ok : parsed::out_of_range;
}

constexpr std::uint64_t eight_times(std::uint64_t byte) noexcept { return byte * 0x0101'0101'0101'0101; }

/// Up to eight characters as one word, the last one in its highest byte, zeros before the first.
inline std::uint64_t right_aligned(std::string_view text) noexcept {
  const auto n = text.size();
  const auto free = 64 - 8 * n;
  std::uint64_t word;
  if (n >= 4) {
    std::uint32_t first, last;
    std::memcpy(&first, text.data(), 4);
    std::memcpy(&last, text.data() + n - 4, 4);
    word = std::uint64_t{first} << free | std::uint64_t{last} << 32;
  } else {
    const auto at = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(text[i])} << (free + 8 * i); };
    word = at(0) | at(n / 2) | at(n - 1);
  }
  return n == 8 ? word : word | (eight_times('0') & ((std::uint64_t{1} << free) - 1));
}

/// Up to eight digits, without a branch for each.
inline parsed parse_few_digits(std::string_view digits, std::uint64_t& to) noexcept {
  auto x = right_aligned(digits);
  const auto high = eight_times(0xf0);
  if (((x & high) | ((x + eight_times(6)) & high) >> 4) != eight_times(0x33)) return parsed::malformed;
  // Neighbours are put together: digits, then pairs, then fours.
  x = (x & eight_times(0x0f)) * (1 + (10 << 8)) >> 8;
  x = (x & 0x00ff'00ff'00ff'00ff) * (1 + (100 << 16)) >> 16;
  to = (x & 0x0000'ffff'0000'ffff) * (1 + (std::uint64_t{10'000} << 32)) >> 32;
  return parsed::ok;
}

/// Of digits that cannot be too many, which is what most numbers are.
inline parsed parse_digits(std::string_view digits, std::uint64_t& to) noexcept {
  if constexpr (std::endian::native == std::endian::little)
    if (digits.size() <= 8) return parse_few_digits(digits, to);
  std::uint64_t x = 0;
  for (const auto c : digits) {
    const auto digit = static_cast<unsigned>(c) - '0';
    if (digit > 9) return parsed::malformed;
    x = x * 10 + digit;
  }
  to = x;
  return parsed::ok;
}

constexpr bool always_fits(std::size_t digits) noexcept { return digits > 0 && digits <= 18; }

}  // namespace

parsed parse_number(std::string_view text, std::int64_t& to) noexcept {
  const auto negative = text.starts_with('-');
  if (!always_fits(text.size() - negative)) return parse_all(text, to);
  std::uint64_t x = 0;
  if (parse_digits(text.substr(negative), x) != parsed::ok) return parsed::malformed;
  to = negative ? -static_cast<std::int64_t>(x) : static_cast<std::int64_t>(x);
  return parsed::ok;
}

parsed parse_number(std::string_view text, std::uint64_t& to) noexcept {
  if (!text.starts_with('-')) return always_fits(text.size()) ? parse_digits(text, to) : parse_all(text, to);
  // A whole number, but not one of these.
  std::int64_t negative;
  const auto found = parse_all(text, negative);
  if (found != parsed::ok || negative != 0) return found == parsed::malformed ? found : parsed::out_of_range;
  to = 0;
  return parsed::ok;
}

parsed parse_number(std::string_view text, float& to) noexcept { return parse_all(text, to); }
parsed parse_number(std::string_view text, double& to) noexcept { return parse_all(text, to); }
parsed parse_number(std::string_view text, long double& to) noexcept { return parse_all(text, to); }

}  // namespace spillway::detail
