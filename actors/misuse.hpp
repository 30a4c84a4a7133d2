#pragma once
// What keeps the compiler's answer to a mistake to one sentence.
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace spillway::detail {

template <class T>
inline constexpr bool is_text = std::is_convertible_v<const T&, std::string_view>;

template <class...>
inline constexpr bool never = false;

struct step_name;

template <class N>
consteval bool check_name() {
  constexpr bool fits = is_text<N> || std::is_same_v<std::remove_cvref_t<N>, step_name>;
  static_assert(fits, "the name of a step comes before the verb's other arguments, and is a text");
  return fits;
}

/// The optional first argument of a verb.
struct step_name {
  step_name() = default;
  template <class N, bool = check_name<N>()>
    requires(!std::is_same_v<std::remove_cvref_t<N>, step_name>)
  step_name(N&& name) {
    if constexpr (is_text<N>) text = std::string_view{name};
  }

  std::string text;
};

/// What a verb gives after a sentence about its misuse: every further verb takes it and adds nothing to the message.
struct misused {
  // clang-format off
  template <class... As> misused aggregate(As&&...) const { return {}; }
  template <class... As> misused apply(As&&...) const { return {}; }
  template <class... As> misused broadcast(As&&...) const { return {}; }
  template <class... As> misused filter(As&&...) const { return {}; }
  template <class... As> misused flat_map(As&&...) const { return {}; }
  template <class... As> misused key_by(As&&...) const { return {}; }
  template <class... As> misused map(As&&...) const { return {}; }
  template <class... As> misused parallelism(As&&...) const { return {}; }
  template <class... As> misused process(As&&...) const { return {}; }
  template <class... As> misused rebalance(As&&...) const { return {}; }
  template <class... As> misused reduce(As&&...) const { return {}; }
  template <class... As> misused running(As&&...) const { return {}; }
  template <class... As> misused union_with(As&&...) const { return {}; }
  template <class... As> void write(As&&...) const {}
  // clang-format on
};

/// What a stream without keys says to the verbs of one with keys.
struct needs_key {
  template <class... As>
  misused aggregate(As&&...) const {
    static_assert(never<As...>, "aggregate() works key by key: call .key_by(...) first, or .key_by() for one group of all rows");
    return {};
  }
  template <class... As>
  misused running(As&&...) const {
    static_assert(never<As...>, "running() works key by key: call .key_by(...) first, or .key_by() for one group of all rows");
    return {};
  }
  template <class... As>
  misused reduce(As&&...) const {
    static_assert(never<As...>, "reduce() works key by key: call .key_by(...) first, or .key_by() for one group of all rows");
    return {};
  }
};

/// What a stream with keys says to the verbs of one without.
struct has_key {
  template <class... As>
  misused map(As&&...) const {
    static_assert(never<As...>, "map() gives rows without a key: call it before .key_by(...)");
    return {};
  }
  template <class... As>
  misused filter(As&&...) const {
    static_assert(never<As...>, "filter() gives rows without a key: call it before .key_by(...)");
    return {};
  }
  template <class... As>
  misused flat_map(As&&...) const {
    static_assert(never<As...>, "flat_map() gives rows without a key: call it before .key_by(...)");
    return {};
  }
  template <class... As>
  misused union_with(As&&...) const {
    static_assert(never<As...>, "union_with() gives rows without a key: call it before .key_by(...)");
    return {};
  }
  template <class... As>
  misused key_by(As&&...) const {
    static_assert(never<As...>, "key_by() is called once: with several members or functions for a key of several parts");
    return {};
  }
  template <class... As>
  void write(As&&...) const {
    static_assert(never<As...>, "write() takes rows without a key: call .aggregate(...) or another verb of keyed streams first");
  }
};

}  // namespace spillway::detail
