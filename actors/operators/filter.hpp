#pragma once
#include "actors/operators/rows.hpp"

namespace spillway {

/// Passes on the rows for which `F` is true.
template <class T, class F>
class filter_stage final : public stage {
 public:
  explicit filter_stage(F f) : f_(std::move(f)) {}

  progress on_rows(rows_cursor& in, outlet& to) override {
    auto& rows = rows_in<T>(*in.rows);
    if (in.rows->sole_holder()) {
      keep(rows, rows);
      to.push(std::move(in.rows));
    } else {
      auto kept = new_batch<T>(pool_);
      keep(std::as_const(rows), rows_in<T>(*kept));
      to.push(std::move(kept));
    }
    return progress::done;
  }

 private:
  /// `From` is const if the rows belong to others too.
  template <class From>
  void keep(From& from, batch_of<T>& to) {
    const auto n = from.size();
    const bool times = !from.times.empty();
    if (times) to.times.resize(n);
    std::size_t kept = 0, i = 0;
    try {
      for (; i < n; ++i) {
        if (!std::invoke(f_, std::as_const(from[i]))) continue;
        if (times) to.times[kept] = from.times[i];
        if (&to[kept] != &from[i]) to[kept] = std::move(from[i]);
        ++kept;
      }
    } catch (...) {
      detail::fail_on_row(from[i]);
    }
    if (times) to.times.resize(kept);
    to.set_size(kept);
  }

  F f_;
  std::shared_ptr<batch_pool> pool_ = batch_pool::make();
};

}  // namespace spillway
