#pragma once
#include "actors/operators/rows.hpp"

namespace spillway {

/// Any number of rows out for each row in. Stops between two rows when a batch is full, so only one call can overdraw.
template <class T, class R, class F>
class flat_map_stage final : public stage {
 public:
  explicit flat_map_stage(F f) : f_(std::move(f)) {}

  progress on_rows(rows_cursor& in, outlet& to) override {
    const auto& rows = rows_in<T>(std::as_const(*in.rows));
    out_.bind(to);
    auto i = in.at;
    try {
      for (const auto n = rows.size(); i < n && !to.full(); ++i) {
        out_.at(rows, i);
        std::invoke(f_, rows[i], out_);
      }
    } catch (...) {
      in.at = i;
      detail::fail_at_row(rows[i]);
    }
    in.at = i;
    if (i < rows.size()) return progress::more;
    out_.flush();
    return progress::done;
  }

 private:
  F f_;
  out<R> out_{batch_pool::make()};
};

}  // namespace spillway
