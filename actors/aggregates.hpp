#pragma once
// Ready-made aggregates: count, sum, min, max, mean, top. Each takes a member of the row or a function of it;
// null values are left out. NaN is greater than every number and equal to itself, as in keys: `max` gives it if there is one,
// `min` if there is nothing else, `top` puts it first, whatever the order of arrival.
//
//   rows in a group                    sw::count()
//   a total                            sw::sum(&flight::delay)      integers as 64 bits, an overflow fails the job
//   the least, greatest, average       sw::min(f) sw::max(f) sw::mean(f)      optional: null over nothing
//   the n rows with the greatest f     sw::top(n, f)      a result row for each, greatest first, ties in order of arrival
#include "actors/aggregate_traits.hpp"
#include "actors/misuse.hpp"
#include "actors/value_order.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace spillway {

namespace detail {

template <class V>
struct without_null {
  using type = V;
};
template <class V>
struct without_null<std::optional<V>> {
  using type = V;
};

template <class F, class T>
using value_of = typename without_null<std::remove_cvref_t<std::invoke_result_t<const F&, const T&>>>::type;

/// Calls `use(value)` with what `of` gives for a row, unless that is null: nulls are left out, as in SQL.
template <class F, class T, class Use>
void with_value(const F& of, const T& row, Use&& use) {
  decltype(auto) value = std::invoke(of, row);
  if constexpr (optional_like<std::remove_cvref_t<decltype(value)>>) {
    if (value) use(*value);
  } else {
    use(value);
  }
}

struct count_of {
  std::int64_t init() const { return 0; }
  void add(std::int64_t& n, const auto&) const { ++n; }
  void merge(std::int64_t& n, std::int64_t other) const { n += other; }
  std::int64_t result(std::int64_t n) const { return n; }
};

template <class V>
using wide = std::conditional_t<std::is_floating_point_v<V>, double, std::conditional_t<std::is_integral_v<V>, std::int64_t, V>>;

template <class S, class V>
void add_checked(S& sum, const V& more) {
  if constexpr (std::is_integral_v<V>) {
    if (__builtin_add_overflow(sum, more, &sum)) throw std::overflow_error("the sum does not fit 64 bits");
  } else if constexpr (is_duration<V>) {
    auto ticks = sum.count();
    add_checked(ticks, more.count());
    sum = S{ticks};
  } else {
    sum += more;
  }
}

template <class T, class F>
struct sum_for {
  using total = wide<value_of<F, T>>;
  F of;
  static consteval bool check() {
    constexpr bool adds = !std::is_same_v<total, std::string> && requires(total a, const total& b) { a += b; };
    static_assert(adds, "sum() takes values that can be added: numbers or durations");
    return adds;
  }
  total init() const { return total{}; }
  void add(total& sum, const T& row) const {
    with_value(of, row, [&](const auto& v) { add_checked(sum, v); });
  }
  void merge(total& sum, const total& other) const { add_checked(sum, other); }
  total result(const total& sum) const { return sum; }
};

template <class T, class F, class Before>
struct extreme_for {
  using value = std::optional<value_of<F, T>>;
  F of;
  static consteval bool check() {
    constexpr bool compares = ordered<value_of<F, T>>;
    static_assert(compares, "min() and max() take values that can be compared: numbers, times or texts");
    return compares;
  }
  value init() const { return {}; }
  void add(value& best, const T& row) const {
    with_value(of, row, [&](const auto& v) {
      if (!best || Before{}(v, *best)) best = v;
    });
  }
  void merge(value& best, const value& other) const {
    if (other && (!best || Before{}(*other, *best))) best = other;
  }
  value result(const value& best) const { return best; }
};

template <class T, class F>
struct mean_for {
  struct state {
    double sum = 0;
    std::int64_t rows = 0;
  };
  F of;
  static consteval bool check() {
    constexpr bool number = requires(const value_of<F, T>& v) { static_cast<double>(v); };
    static_assert(number, "mean() takes numbers");
    return number;
  }
  state init() const { return {}; }
  void add(state& s, const T& row) const {
    with_value(of, row, [&](const auto& v) {
      s.sum += static_cast<double>(v);
      ++s.rows;
    });
  }
  void merge(state& s, const state& o) const {
    s.sum += o.sum;
    s.rows += o.rows;
  }
  std::optional<double> result(const state& s) const {
    return s.rows > 0 ? std::optional{s.sum / static_cast<double>(s.rows)} : std::nullopt;
  }
};

template <class T, class F>
struct top_for {
  std::size_t n;
  F of;
  static consteval bool check() {
    constexpr bool compares = ordered<value_of<F, T>>;
    static_assert(compares, "top() takes values that can be compared: numbers, times or texts");
    return compares;
  }
  using state = std::vector<T>;
  state init() const { return {}; }
  void add(state& rows, const T& row) const {
    if (rows.size() == n && (n == 0 || !before(row, rows.back()))) return;
    rows.insert(std::upper_bound(rows.begin(), rows.end(), row, [&](const T& a, const T& b) { return before(a, b); }), row);
    if (rows.size() > n) rows.pop_back();
  }
  void merge(state& rows, const state& other) const {
    for (const auto& row : other) add(rows, row);
  }
  many<T> result(const state& rows) const { return {rows}; }

 private:
  bool before(const T& a, const T& b) const { return greatest_first{}(std::invoke(of, a), std::invoke(of, b)); }
};

/// `For<T, F>` once the row type is known, or `misused` after a sentence about it.
template <template <class, class> class For, class F>
struct deferred {
  F of;
  template <class T>
  auto for_rows() const {
    constexpr bool reads = std::is_invocable_v<const F&, const T&>;
    static_assert(reads, "sum(), min(), max() and mean() take a member of the stream's row, or a function of it");
    if constexpr (!reads)
      return misused{};
    else if constexpr (!For<T, F>::check())
      return misused{};
    else
      return For<T, F>{of};
  }
};

template <class T, class F>
using min_for = extreme_for<T, F, least_first>;
template <class T, class F>
using max_for = extreme_for<T, F, greatest_first>;

template <class F>
struct deferred_top {
  std::size_t n;
  F of;
  template <class T>
  auto for_rows() const {
    constexpr bool reads = std::is_invocable_v<const F&, const T&>;
    static_assert(reads, "top() takes a member of the stream's row, or a function of it");
    if constexpr (!reads)
      return misused{};
    else if constexpr (!top_for<T, F>::check())
      return misused{};
    else
      return top_for<T, F>{n, of};
  }
};

}  // namespace detail

inline auto count() { return detail::count_of{}; }

template <class F>
auto sum(F of) {
  return detail::deferred<detail::sum_for, F>{of};
}
template <class F>
auto min(F of) {
  return detail::deferred<detail::min_for, F>{of};
}
template <class F>
auto max(F of) {
  return detail::deferred<detail::max_for, F>{of};
}
template <class F>
auto mean(F of) {
  return detail::deferred<detail::mean_for, F>{of};
}
template <class F>
auto top(std::size_t n, F of) {
  return detail::deferred_top<F>{n, of};
}

}  // namespace spillway
