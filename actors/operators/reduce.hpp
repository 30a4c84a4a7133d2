#pragma once
#include "actors/operators/keyed_rows.hpp"

namespace spillway::detail {

/// A reduction as an aggregate: the first row of a key, then what `F` makes of the value so far and the next row.
template <class T, class F>
struct reduction {
  F f;
  struct state {
    T value{};
    bool some = false;
  };
  state init() const { return {}; }
  void add(state& s, const T& row) const {
    s.value = s.some ? T(std::invoke(f, std::as_const(s.value), row)) : row;
    s.some = true;
  }
  T result(const state& s) const { return s.value; }
};

}  // namespace spillway::detail
