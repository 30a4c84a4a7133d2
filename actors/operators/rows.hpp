#pragma once
// What all operators need for their loops over rows.
#include "actors/task/stage.hpp"
#include "messages/text.hpp"

#include <functional>

namespace spillway {

namespace detail {

/// What an `out` has whatever its rows.
class out_state {
 public:
  explicit out_state(std::shared_ptr<batch_pool> pool);
  ~out_state();

  /// For the operator around it: where full batches go, and the time of the row now worked on.
  void bind(outlet& to) noexcept { to_ = &to; }
  void at(const batch& in, std::size_t i) noexcept {
    timed_ = !in.times.empty();
    if (timed_) time_ = in.times[i];
  }
  void without_time() noexcept { timed_ = false; }
  timestamp time() const noexcept { return timed_ ? time_ : min_time; }
  void flush();

 protected:
  std::shared_ptr<batch_pool> pool_;
  batch_ptr open_;
  outlet* to_ = nullptr;
  timestamp time_ = min_time;
  bool timed_ = false;
};

}  // namespace detail

/// Where a callable of the user's puts rows: `out(row)`, with the event time of the row it is working on, or `out(row, time)`.
template <class R>
class out : public detail::out_state {
 public:
  using out_state::out_state;

  template <class Row = R>
  void operator()(Row&& row) {
    if (timed_) return (*this)(std::forward<Row>(row), time_);
    auto& to = room();
    if (!to.times.empty()) to.add_time(min_time);
    if constexpr (check<Row>()) to.push(std::forward<Row>(row));
  }

  template <class Row = R>
  void operator()(Row&& row, timestamp time) {
    auto& to = room();
    if constexpr (check<Row>()) to.push(std::forward<Row>(row), time);
  }

 private:
  template <class Row>
  static consteval bool check() {
    static_assert(std::is_convertible_v<Row&&, R>, "out() takes a row of the type R of its sw::out<R>");
    return std::is_convertible_v<Row&&, R>;
  }

  batch_of<R>& room() {
    if (open_ && rows_in<R>(*open_).full()) flush();
    if (!open_) open_ = new_batch<R>(pool_);
    return rows_in<R>(*open_);
  }
};

namespace detail {

/// Appends `*static_cast<const T*>(row)` as text.
template <class T>
void append_row(std::string& to, const void* row) {
  append_text(to, *static_cast<const T*>(row));
}

/// What is before the cause where a key function threw.
inline constexpr auto in_key_function = "key function: ";

[[noreturn]] void fail_on(const void* row, void (*append)(std::string&, const void*), const char* where);
[[noreturn]] void fail_at(const void* row, void (*append)(std::string&, const void*));
[[noreturn]] void fail_on_group(const void* key, void (*append)(std::string&, const void*));

/// Turns the exception in flight into a `step_failed` that shows `row`, and whose cause begins with `where`.
template <class T>
[[noreturn, gnu::cold, gnu::noinline]] void fail_on_row(const T& row, const char* where = "") {
  fail_on(&row, &append_row<T>, where);
}

/// The same for what is done once for `key`, and not for a row.
template <class K>
[[noreturn, gnu::cold, gnu::noinline]] void fail_on_key(const K& key) {
  if constexpr (std::is_same_v<K, no_key>)
    fail_because("", "");
  else
    fail_on_group(&key, &append_row<K>);
}

/// As `fail_on_row`, by a stage that has put out what came of the rows before and set its cursor to this one.
template <class T>
[[noreturn, gnu::cold, gnu::noinline]] void fail_at_row(const T& row) {
  fail_at(&row, &append_row<T>);
}

/// The result type of a callable given a row, formed only if it can be called.
template <class F, class... Args>
struct result_of {
  using type = void;
};
template <class F, class... Args>
  requires std::is_invocable_v<F&, Args...>
struct result_of<F, Args...> {
  using type = std::remove_cvref_t<std::invoke_result_t<F&, Args...>>;
};

}  // namespace detail

}  // namespace spillway
