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
    if (in.at == 0 && in.rows->sole_holder()) {
      keep_in_place(rows, in, to);
      to.push(std::move(in.rows));
      return progress::done;
    }
    auto kept = new_batch<T>(pool_);
    try {
      keep(std::as_const(rows), in.at, rows_in<T>(*kept));
    } catch (...) {
      to.push(std::move(kept));
      detail::fail_at_row(rows[in.at]);
    }
    to.push(std::move(kept));
    return progress::done;
  }

 private:
  void keep_in_place(batch_of<T>& rows, rows_cursor& in, outlet& to) try { keep(rows, in.at, rows); } catch (...) {
    auto before = new_batch<T>(pool_);
    for (std::size_t i = 0; i < kept_; ++i) rows_in<T>(*before).push(std::as_const(rows[i]));
    before->add_times(rows, 0, 0);
    to.push(std::move(before));
    detail::fail_at_row(rows[in.at]);
  }

  /// From `i` on; leaves it at the row that could not be asked. `From` is const if the rows belong to others too.
  template <class From>
  void keep(From& from, std::size_t& i, batch_of<T>& to) {
    const auto n = from.size();
    const bool times = !from.times.empty(), own = static_cast<const batch*>(&from) == &to;
    if (times && !own) to.times.resize(n);
    kept_ = 0;
    const auto finish = [&] {
      if (times) to.times.resize(kept_);
      to.set_size(kept_);
    };
    try {
      for (auto kept = kept_; i < n; ++i, kept_ = kept) {
        if (!std::invoke(f_, std::as_const(from[i]))) continue;
        if (times) to.times[kept] = from.times[i];
        if (&to[kept] != &from[i]) to[kept] = std::move(from[i]);
        ++kept;
      }
    } catch (...) {
      if (!own) finish();
      throw;
    }
    finish();
  }

  std::size_t kept_ = 0;
  F f_;
  std::shared_ptr<batch_pool> pool_ = batch_pool::make();
};

}  // namespace spillway
