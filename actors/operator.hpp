#pragma once
// What operators of one's own are written with.
#include "actors/operators/rows.hpp"
#include "messages/errors.hpp"
#include "storage/key_directory.hpp"

#include <deque>
#include <string>
#include <vector>

namespace spillway {

namespace detail {

class keyed_state;

/// The states of an operator and the key it is working on.
class state_owner {
 public:
  state_owner() = default;
  state_owner(const state_owner&) = delete;
  state_owner& operator=(const state_owner&) = delete;

  /// For the stage around the operator.
  void select_key(std::uint32_t number) noexcept { current_ = number; }
  std::uint32_t selected_key() const noexcept { return current_; }
  bool has_state(std::uint32_t number) const noexcept;
  void clear_states(std::uint32_t number);

 private:
  friend class keyed_state;
  std::vector<keyed_state*> states_;
  std::uint32_t current_ = 0;
};

/// What a state has whatever its type.
class keyed_state {
 public:
  keyed_state(state_owner* owner, std::string name);
  keyed_state(const keyed_state&) = delete;
  keyed_state& operator=(const keyed_state&) = delete;
  virtual ~keyed_state() = default;

  const std::string& name() const noexcept { return name_; }
  bool set(std::uint32_t number) const noexcept { return number < set_.size() && set_[number] != 0; }
  virtual void erase(std::uint32_t number) = 0;

 protected:
  std::uint32_t key() const noexcept { return owner_->selected_key(); }
  std::vector<std::uint8_t> set_;

 private:
  state_owner* owner_;
  std::string name_;
};

inline keyed_state::keyed_state(state_owner* owner, std::string name) : owner_(owner), name_(std::move(name)) {
  for (const auto* s : owner->states_)
    if (s->name_ == name_)
      throw pipeline_error("two states are called '" + name_ + "': a state's name is its identity\n  help: rename one of them");
  owner->states_.push_back(this);
}

inline bool state_owner::has_state(std::uint32_t number) const noexcept {
  for (const auto* s : states_)
    if (s->set(number)) return true;
  return false;
}

inline void state_owner::clear_states(std::uint32_t number) {
  for (auto* s : states_) s->erase(number);
}

}  // namespace detail

/// One value for each key: a member of a keyed operator, about the key of the row at hand. Declared as
/// `sw::value_state<spent> spent_{this, "spent"};` Its name is its identity: an operator whose states
/// share one cannot be made.
template <class S>
class value_state final : public detail::keyed_state {
  static_assert(
      record<S>,
      "a value_state holds a record: a number, an enum, a time, a std::string, a described struct, or an optional, pair, tuple "
      "or vector of such");

 public:
  using keyed_state::keyed_state;

  /// True if the key has no value.
  bool empty() const noexcept { return !set(key()); }

  /// The key's value, which begins as `S{}`.
  S& operator*() {
    const auto k = key();
    if (k >= set_.size()) make_room(k);
    if (!std::exchange(set_[k], 1)) values_[k] = S{};
    return values_[k];
  }
  S* operator->() { return &**this; }

  /// The key's value, or null.
  const S* find() const noexcept { return empty() ? nullptr : &values_[key()]; }

  void clear() { erase(key()); }

 private:
  void erase(std::uint32_t number) override {
    if (!set(number)) return;
    set_[number] = 0;
    values_[number] = S{};
  }

  [[gnu::noinline]] void make_room(std::uint32_t k) {
    const auto size = std::max<std::size_t>(std::size_t{k} + 1, set_.size() * 2);
    set_.resize(size, 0);
    values_.resize(size);
  }

  /// By the key's number. A deque: growing moves nothing.
  std::deque<S> values_;
};

/// Base of an operator without keys: defines `void on_row(const In&, auto& ctx)`, optionally `void on_end(auto& ctx)`.
template <class In, class Out>
class stream_operator {
  static_assert(record<In> && record<Out>, "the rows of an operator own their data and are described, as everywhere");

 public:
  using row_type = In;
  using out_type = Out;
  stream_operator() = default;
  stream_operator(const stream_operator&) = delete;
  stream_operator& operator=(const stream_operator&) = delete;
};

/// Base of an operator that works key by key: defines `void on_row(const In&, auto& ctx)`, optionally `void on_end(auto& ctx)`,
/// called for each key with state, and `Reply on_query(const Query&)`, which `job::ask` reaches. Its state is in members such as
/// `value_state`, which always speak of the key at hand.
template <class K, class In, class Out>
class keyed_operator : public detail::state_owner {
  static_assert(record<K> && record<In> && record<Out>,
                "the key and the rows of an operator own their data and are described, as everywhere");

 public:
  using key_type = K;
  using row_type = In;
  using out_type = Out;
};

/// What `on_row` and `on_end` are given besides the row.
template <class Out>
class stream_context {
 public:
  explicit stream_context(out<Out>& to) : to_(to) {}

  /// Gives a row, with the event time of the row at hand where it has one.
  template <class Row = Out>
  void emit(Row&& row) {
    if constexpr (check<Row>()) to_(std::forward<Row>(row));
  }
  template <class Row = Out>
  void emit(Row&& row, timestamp time) {
    if constexpr (check<Row>()) to_(std::forward<Row>(row), time);
  }

  /// The event time of the row at hand; `min_time` where rows have none.
  timestamp time() const noexcept { return to_.time(); }

 private:
  template <class Row>
  static consteval bool check() {
    static_assert(std::is_convertible_v<Row&&, Out>, "emit() takes a row of the operator's output type");
    return std::is_convertible_v<Row&&, Out>;
  }

  out<Out>& to_;
};

template <class K, class Out>
class keyed_context : public stream_context<Out> {
 public:
  keyed_context(out<Out>& to, const K& key) : stream_context<Out>(to), key_(key) {}

  /// The key at hand, in canonical form.
  const K& key() const noexcept { return key_; }

 private:
  const K& key_;
};

}  // namespace spillway
