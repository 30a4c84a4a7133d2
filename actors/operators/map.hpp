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
      if (in.rows->sole_holder()) {
        in_place(rows);
        to.push(std::move(in.rows));
        return progress::done;
      }
    }
    auto made = new_batch<R>(pool_);
    const auto first = in.at;
    in.at = fill(rows, first, rows_in<R>(*made));
    made->add_times(rows, first, 0);
    to.push(std::move(made));
    return in.at == rows.size() ? progress::done : progress::more;
  }

 private:
  void in_place(batch_of<T>& rows) {
    rows.hashes.clear();
    auto* r = rows.data();
    std::size_t i = 0;
    try {
      for (const auto n = rows.size(); i < n; ++i) r[i] = std::invoke(f_, std::as_const(r[i]));
    } catch (...) {
      detail::fail_on_row(r[i]);
    }
  }

  std::size_t fill(const batch_of<T>& rows, std::size_t i, batch_of<R>& made) {
    const auto* from = rows.data();
    try {
      if constexpr (std::is_trivially_copyable_v<R>) {
        const auto n = std::min(rows.size() - i, batch_of<R>::capacity);
        auto* r = made.data();
        for (const auto end = i + n; i < end; ++i) *r++ = std::invoke(f_, from[i]);
        made.set_size(n);
      } else {
        for (const auto end = rows.size(); i < end && !made.full(); ++i) made.push(std::invoke(f_, from[i]));
      }
    } catch (...) {
      detail::fail_on_row(from[i]);
    }
    return i;
  }

  F f_;
  std::shared_ptr<batch_pool> pool_ = batch_pool::make();
};

}  // namespace spillway
