#pragma once
#include "actors/sink.hpp"

#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace spillway {
namespace detail {

template <record T, class F>
class callback_writer final : public sink_writer<T> {
 public:
  explicit callback_writer(F f) : f_(std::move(f)) {}

  void write(const batch_of<T>& batch) override {
    if constexpr (std::is_invocable_v<F&, const T&>)
      for (const auto& row : batch.rows()) std::invoke(f_, row);
    else
      std::invoke(f_, batch.rows());
  }

 private:
  F f_;
};

}  // namespace detail

/// Calls `f(row)` for each row, or `f(rows)` with a `std::span<const T>` for each batch, which must not be kept.
///
/// Threads: the call is made by the sink's task. Each subtask has a copy of `f`; copies are called at the same time.
template <class F>
struct to_callback {
  static constexpr auto verb = "to_callback";
  F f;

  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context&) const {
    constexpr auto fits = std::disjunction_v<std::is_invocable<F&, const T&>, std::is_invocable<F&, std::span<const T>>>;
    static_assert(fits, "to_callback needs a function of the stream's row, f(const T&), or of several, f(std::span<const T>)");
    if constexpr (fits) return std::make_unique<detail::callback_writer<T, F>>(f);
  }
};

template <class F>
to_callback(F) -> to_callback<F>;

}  // namespace spillway
