#pragma once
// One value as bytes, and back. All numbers are little endian; lengths and counts have 32 bits; an optional starts with 0 or 1.
#include "messages/fingerprint.hpp"
#include "messages/record.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

static_assert(std::endian::native == std::endian::little, "numbers are little endian, and are copied as they are");

/// Bytes that are not what they should be: damaged, cut off, of another row type, or made up by somebody.
class decode_error : public std::runtime_error {
 public:
  decode_error(const std::string& what, std::size_t byte);

  /// Where it was noticed, counted from the first byte that was given to the decoder.
  std::size_t byte() const noexcept { return byte_; }

 private:
  std::size_t byte_;
};

namespace detail {

/// True for a struct or tuple without any part.
template <class T>
consteval bool without_parts() {
  if constexpr (tuple_like<T>)
    return std::tuple_size_v<T> == 0;
  else if constexpr (described<T>)
    return boost::mp11::mp_empty<members_of<T>>::value;
  else
    return false;
}

struct encoded_size {
  std::size_t least = 0;
  bool fixed = true;
};

constexpr encoded_size operator+(encoded_size a, encoded_size b) { return {a.least + b.least, a.fixed && b.fixed}; }

/// The fewest bytes a `T` may take, and whether it always takes as many. Never 0: an empty struct is written as one zero byte, so
/// that no count from outside exceeds the bytes that follow it.
template <class T>
consteval encoded_size size_of() {
  encoded_size sum;
  if constexpr (copied_whole<T>() || scalar<T>) {
    return {sizeof(T), true};
  } else if constexpr (tuple_like<T>) {
    boost::mp11::mp_for_each<boost::mp11::mp_transform<std::type_identity, T>>(
        [&](auto part) { sum = sum + size_of<typename decltype(part)::type>(); });
  } else if constexpr (described<T>) {
    boost::mp11::mp_for_each<members_of<T>>(
        [&](auto d) { sum = sum + size_of<std::remove_cvref_t<decltype(std::declval<T&>().*d.pointer)>>(); });
  } else {
    return {optional_like<T> ? 1 : sizeof(std::uint32_t), false};
  }
  return sum.least == 0 ? encoded_size{1, true} : sum;
}

/// Calls `f` for each part of a pair, a tuple or a described struct.
template <class T, class F>
void for_each_part(T& value, F&& f) {
  if constexpr (tuple_like<std::remove_const_t<T>>)
    std::apply([&](auto&... part) { (f(part), ...); }, value);
  else
    for_each_member(value, [&](std::string_view, auto& part) { f(part); });
}

template <class T>
std::size_t encoded_bytes(const T& value) {
  std::size_t bytes = 0;
  if constexpr (size_of<T>().fixed) {
    bytes = size_of<T>().least;
  } else if constexpr (std::is_same_v<T, std::string>) {
    bytes = sizeof(std::uint32_t) + value.size();
  } else if constexpr (optional_like<T>) {
    bytes = 1 + (value ? encoded_bytes(*value) : 0);
  } else if constexpr (list_like<T>) {
    bytes = sizeof(std::uint32_t);
    if constexpr (size_of<typename T::value_type>().fixed)
      bytes += value.size() * size_of<typename T::value_type>().least;
    else
      for (const auto& e : value) bytes += encoded_bytes(e);
  } else {
    for_each_part(value, [&](const auto& part) { bytes += encoded_bytes(part); });
  }
  return bytes;
}

/// Writes the bytes of `n` values, for which there must be room, and returns where they end.
template <class T>
std::byte* put_bytes(std::byte* to, const T* values, std::size_t n) noexcept {
  if (n != 0) std::memcpy(to, values, n * sizeof(T));
  return to + n * sizeof(T);
}

template <class T>
std::byte* put(std::byte* to, const T& value) {
  if constexpr (copied_whole<T>()) {
    return put_bytes(to, &value, 1);
  } else if constexpr (scalar<T>) {
    *to = std::byte{static_cast<bool>(value)};
    return to + 1;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return put_bytes(put(to, static_cast<std::uint32_t>(value.size())), value.data(), value.size());
  } else if constexpr (optional_like<T>) {
    to = put(to, value.has_value());
    return value ? put(to, *value) : to;
  } else if constexpr (list_like<T>) {
    to = put(to, static_cast<std::uint32_t>(value.size()));
    if constexpr (copied_whole<typename T::value_type>()) return put_bytes(to, value.data(), value.size());
    for (const auto& e : value) to = put(to, e);
    return to;
  } else if constexpr (without_parts<T>()) {
    return put(to, false);
  } else {
    for_each_part(value, [&](const auto& part) { to = put(to, part); });
    return to;
  }
}

/// Takes values off the front of some bytes; never reads or allocates beyond what the bytes left justify.
class byte_reader {
 public:
  explicit byte_reader(std::span<const std::byte> bytes, std::size_t skip = 0) noexcept
      : begin_(bytes.data()), at_(begin_ + skip), end_(begin_ + bytes.size()) {}

  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  std::size_t byte() const noexcept { return static_cast<std::size_t>(at_ - begin_); }

  const std::byte* take(std::size_t bytes, const char* what) {
    if (bytes > left()) [[unlikely]]
      fail_short(bytes, what);
    return std::exchange(at_, at_ + bytes);
  }

  /// A count of things that take at least `least` bytes each.
  std::size_t count(std::size_t least, const char* what) {
    std::uint32_t n;
    copy_to(&n, 1, what);
    if (n > left() / least) [[unlikely]]
      fail_short(n * least, what);
    return n;
  }

  bool flag(const char* what) {
    const auto byte = *take(1, what);
    if (byte > std::byte{1}) [[unlikely]]
      fail_flag(what);
    return byte == std::byte{1};
  }

  template <class T>
  void copy_to(T* values, std::size_t n, const char* what) {
    const auto* from = take(n * sizeof(T), what);
    if (n != 0) std::memcpy(static_cast<void*>(values), from, n * sizeof(T));
  }

  /// Throws if anything is left.
  void expect_end() const;

 private:
  [[noreturn]] void fail_short(std::size_t wanted, const char* what) const;
  [[noreturn]] void fail_flag(const char* what) const;

  const std::byte* begin_;
  const std::byte* at_;
  const std::byte* end_;
};

template <class T>
void get(byte_reader& from, T& value) {
  if constexpr (copied_whole<T>()) {
    from.copy_to(&value, 1, "value");
  } else if constexpr (scalar<T>) {
    value = static_cast<T>(from.flag("bool"));
  } else if constexpr (std::is_same_v<T, std::string>) {
    const auto n = from.count(1, "text");
    value.assign(reinterpret_cast<const char*>(from.take(n, "text")), n);
  } else if constexpr (optional_like<T>) {
    if (!from.flag("mark of an optional")) return value.reset();
    if (!value) value.emplace();
    get(from, *value);
  } else if constexpr (list_like<T>) {
    value.resize(from.count(size_of<typename T::value_type>().least, "list"));
    if constexpr (copied_whole<typename T::value_type>())
      from.copy_to(value.data(), value.size(), "list");
    else
      for (auto& e : value) get(from, e);
  } else if constexpr (without_parts<T>()) {
    if (from.flag("empty struct")) throw decode_error("an empty struct that is not a zero byte", from.byte() - 1);
  } else {
    for_each_part(value, [&](auto& part) { get(from, part); });
  }
}

/// Appends `bytes` bytes, at most 4 GiB of them, and returns where they start.
std::byte* make_room(std::vector<std::byte>& out, std::size_t bytes);

}  // namespace detail

/// Appends the bytes of one value, without head and checksum: for keys and values inside something that has its own. Throws
/// `std::length_error` above 4 GiB.
template <record T>
void encode_value(const T& value, std::vector<std::byte>& out) {
  detail::put(detail::make_room(out, detail::encoded_bytes(value)), value);
}

/// Takes one value off the front of `in`. Throws `decode_error`, with `in` unchanged.
template <record T>
T decode_value(std::span<const std::byte>& in) {
  detail::byte_reader from{in};
  T value{};
  detail::get(from, value);
  in = in.subspan(from.byte());
  return value;
}

}  // namespace spillway
