#pragma once
#include "messages/fingerprint.hpp"
#include "messages/value_codec.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace spillway {

/// A value of some record type as bytes, for whoever keeps it without knowing what it is: positions of sources, commit tokens of
/// sinks. The type's fingerprint is kept with it, so that a value is never read as another type.
class saved {
 public:
  saved() = default;

  template <record V>
  static saved of(const V& value) {
    saved s;
    s.schema_ = schema_fingerprint<V>();
    encode_value(value, s.bytes_);
    return s;
  }

  /// Throws `decode_error` if it holds no `V`.
  template <record V>
  V as() const {
    if (schema_ != schema_fingerprint<V>()) throw decode_error("a saved value of another type than the one asked for", 0);
    auto in = std::span<const std::byte>{bytes_};
    auto value = decode_value<V>(in);
    if (!in.empty()) throw decode_error("bytes behind a saved value", bytes_.size() - in.size());
    return value;
  }

  bool empty() const noexcept { return schema_ == 0 && bytes_.empty(); }
  std::uint64_t schema() const noexcept { return schema_; }
  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

  friend bool operator==(const saved&, const saved&) = default;

 private:
  std::uint64_t schema_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace spillway
