#pragma once
// What all operators need for their loops over rows.
#include "actors/task/stage.hpp"
#include "messages/text.hpp"

#include <functional>

namespace spillway {

/// Where a callable of the user's puts rows: `out(row)`, with the event time of the row it is working on, or `out(row, time)`.
template <class R>
class out {
 public:
  explicit out(std::shared_ptr<batch_pool> pool) : pool_(std::move(pool)) {}

  template <class Row = R>
  void operator()(Row&& row) {
    if (timed_) return (*this)(std::forward<Row>(row), time_);
    ready();
    if (!open_->times.empty()) open_->times.push_back(min_time);
    if constexpr (check<Row>()) open_->push(std::forward<Row>(row));
  }

  template <class Row = R>
  void operator()(Row&& row, timestamp time) {
    ready();
    if constexpr (check<Row>()) open_->push(std::forward<Row>(row), time);
  }

  /// For the operator around it: where full batches go, and the time of the row now worked on.
  void bind(outlet& to) noexcept { to_ = &to; }
  void at(const batch& in, std::size_t i) noexcept {
    timed_ = !in.times.empty();
    if (timed_) time_ = in.times[i];
  }
  void without_time() noexcept { timed_ = false; }
  timestamp time() const noexcept { return timed_ ? time_ : min_time; }
  void flush() {
    if (open_) to_->push(std::exchange(open_, {}));
  }

 private:
  template <class Row>
  static consteval bool check() {
    static_assert(std::is_convertible_v<Row&&, R>, "out() takes a row of the type R of its sw::out<R>");
    return std::is_convertible_v<Row&&, R>;
  }

  void ready() {
    if (open_ && open_->full()) flush();
    if (!open_) open_ = make_batch<R>(pool_);
  }

  std::shared_ptr<batch_pool> pool_;
  batch_ref<batch_of<R>> open_;
  outlet* to_ = nullptr;
  timestamp time_ = min_time;
  bool timed_ = false;
};

namespace detail {

/// The row for a message: not more than a screen can show.
template <class T>
std::string row_text(const T& row) {
  auto text = text_of(row);
  if (text.size() > 1000) text = text.substr(0, 1000) + "... (" + std::to_string(text.size()) + " characters)";
  return text;
}

/// What is before the cause where a key function threw.
inline constexpr auto in_key_function = "key function: ";

/// Turns the exception in flight into a `step_failed` that shows `row`, and whose cause begins with `where`.
template <class T>
[[noreturn, gnu::cold, gnu::noinline]] void fail_on_row(const T& row, const std::string& where = {}) {
  fail_because(row_text(row), where);
}

/// The same for what is done once for `key`, and not for a row.
template <class K>
[[noreturn, gnu::cold, gnu::noinline]] void fail_on_key(const K& key) {
  fail_because("", std::is_same_v<K, no_key> ? "" : "key " + row_text(key) + ": ");
}

/// As `fail_on_row`, by a stage that has put out what came of the rows before and set its cursor to this one.
template <class T>
[[noreturn, gnu::cold, gnu::noinline]] void fail_at_row(const T& row) {
  try {
    fail_on_row(row);
  } catch (step_failed& e) {
    e.at_row = true;
    throw;
  }
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
