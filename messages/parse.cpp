#include "messages/parse.hpp"

#include <charconv>

namespace spillway::detail {
namespace {

template <class T>
parsed parse_all(std::string_view text, T& to) noexcept {
  const auto end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, to);
  if (error == std::errc::invalid_argument || at != end) return parsed::malformed;
  return error == std::errc{} ? parsed::ok : parsed::out_of_range;
}

}  // namespace

parsed parse_number(std::string_view text, std::int64_t& to) noexcept { return parse_all(text, to); }

parsed parse_number(std::string_view text, std::uint64_t& to) noexcept {
  if (!text.starts_with('-')) return parse_all(text, to);
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
