#pragma once
#include "messages/key.hpp"

namespace spillway {

/// A result for one key. As columns it is flat: the key's columns, then the value's.
template <class K, class R>
struct keyed {
  K key{};
  R value{};
  friend bool operator==(const keyed&, const keyed&) = default;
  BOOST_DESCRIBE_CLASS(keyed, (), (key, value), (), ())
};

namespace detail {
template <class T>
inline constexpr bool is_keyed = is_a<T, keyed>;
}

}  // namespace spillway
