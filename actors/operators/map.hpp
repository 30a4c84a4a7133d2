#pragma once
#include "actors/operators/rows.hpp"

namespace spillway {

/// One row out for each row in. Writes into the batch it was given where the row type stays and nobody else holds it.
template <class T, class R, class F>
class map_stage final : public stage {
 public:
  explicit map_stage(F f) : f_(std::move(f)) {}

  progress on_rows(rows_cursor& in, outlet& to) override {
    auto& rows = rows_in<T>(*in.rows);
    if constexpr (std::is_same_v<T, R> && std::is_trivially_copyable_v<T>) {
      if (in.at == 0 && in.rows->sole_holder()) {
        in_place(rows, in, to);
        to.push(std::move(in.rows));
        return progress::done;
      }
    }
    auto made = new_batch<R>(pool_);
    const auto first = in.at;
    const auto hand_over = [&] {
      made->add_times(rows, first, 0);
      to.push(std::move(made));
    };
    try {
      fill(rows, in.at, rows_in<R>(*made));
    } catch (...) {
      hand_over();
      detail::fail_at_row(rows[in.at]);
    }
    hand_over();
    return in.at == rows.size() ? progress::done : progress::more;
  }

 private:
  void in_place(batch_of<T>& rows, rows_cursor& in, outlet& to) {
    rows.hashes.clear();
    auto* r = rows.data();
    std::size_t i = 0;
    try {
      for (const auto n = rows.size(); i < n; ++i) r[i] = std::invoke(f_, std::as_const(r[i]));
    } catch (...) {
      in.at = i;
      auto before = new_batch<R>(pool_);
      std::copy_n(r, i, rows_in<R>(*before).data());
      rows_in<R>(*before).set_size(i);
      before->add_times(rows, 0, 0);
      to.push(std::move(before));
      detail::fail_at_row(r[i]);
    }
  }

  /// Leaves `at` at the first row that is not in `made`.
  void fill(const batch_of<T>& rows, std::size_t& at, batch_of<R>& made) {
    const auto* from = rows.data();
    if constexpr (std::is_trivially_copyable_v<R>) {
      auto i = at;
      const auto n = std::min(rows.size() - i, batch_of<R>::capacity);
      auto* r = made.data();
      try {
        for (const auto end = i + n; i < end; ++i) *r++ = std::invoke(f_, from[i]);
      } catch (...) {
        made.set_size(i - std::exchange(at, i));
        throw;
      }
      made.set_size(n);
      at = i;
    } else {
      for (const auto end = rows.size(); at < end && !made.full(); ++at) made.push(std::invoke(f_, from[at]));
    }
  }

  F f_;
  std::shared_ptr<batch_pool> pool_ = batch_pool::make();
};

}  // namespace spillway
