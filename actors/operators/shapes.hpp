#pragma once
#include "messages/keyed.hpp"

#include <functional>
#include <utility>

namespace spillway::detail {

/// Which row an aggregate's operator makes of a key and its value. Rows are written in place: `r` holds some older row.
template <class K, class V>
struct keyed_shape {
  using row = keyed<K, V>;
  template <class Key, class Value>
  void operator()(row& r, const Key& key, Value&& value) const {
    r.key = key;
    r.value = std::forward<Value>(value);
  }
};

template <class V>
struct value_shape {
  using row = V;
  template <class Key, class Value>
  void operator()(row& r, const Key&, Value&& value) const {
    r = std::forward<Value>(value);
  }
};

template <class K, class V, class F>
struct own_shape {
  F f;
  using row = std::remove_cvref_t<std::invoke_result_t<const F&, const K&, const V&>>;
  template <class Key, class Value>
  void operator()(row& r, const Key& key, Value&& value) const {
    r = std::invoke(f, static_cast<const K&>(key), std::as_const(value));
  }
};

}  // namespace spillway::detail
