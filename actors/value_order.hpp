#pragma once
// The order of `min`, `max` and `top`: that of `<`, with NaN after all numbers and equal to itself, wherever it is in the value.
#include "messages/record.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace spillway::detail {

template <class V>
bool ordered_before(const V& a, const V& b);

template <class V, std::size_t I = 0>
bool elements_before(const V& a, const V& b) {
  if constexpr (I == std::tuple_size_v<V>) {
    return false;
  } else {
    if (ordered_before(std::get<I>(a), std::get<I>(b))) return true;
    return !ordered_before(std::get<I>(b), std::get<I>(a)) && elements_before<V, I + 1>(a, b);
  }
}

/// True if `a` comes before `b`. Null comes first. Of described structs and of types of the user's the own `<` counts.
template <class V>
bool ordered_before(const V& a, const V& b) {
  if constexpr (std::is_floating_point_v<V>) {
    return a < b || (a == a && b != b);
  } else if constexpr (is_duration<V>) {
    return ordered_before(a.count(), b.count());
  } else if constexpr (is_time_point<V>) {
    return ordered_before(a.time_since_epoch(), b.time_since_epoch());
  } else if constexpr (optional_like<V>) {
    return b && (!a || ordered_before(*a, *b));
  } else if constexpr (tuple_like<V>) {
    return elements_before(a, b);
  } else if constexpr (list_like<V>) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
      if (ordered_before(a[i], b[i])) return true;
      if (ordered_before(b[i], a[i])) return false;
    }
    return a.size() < b.size();
  } else {
    return a < b;
  }
}

template <class V>
concept ordered = requires(const V& v) {
  static_cast<bool>(v < v);
};

/// The least value comes first.
struct least_first {
  template <class V>
  bool operator()(const V& a, const V& b) const {
    return ordered_before(a, b);
  }
};
/// The greatest value comes first.
struct greatest_first {
  template <class V>
  bool operator()(const V& a, const V& b) const {
    return ordered_before(b, a);
  }
};

}  // namespace spillway::detail
