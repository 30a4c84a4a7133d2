#pragma once
#include "actors/operators/rows.hpp"
#include "actors/row_time.hpp"

#include <algorithm>

namespace spillway {

/// Passes on the rows of both parts; those of the second come when the first has ended. Looks at the times of the first if the
/// second wants to begin where it ended.
template <class T>
class then_stage final : public stage {
 public:
  explicit then_stage(row_time<T> time) : time_(std::move(time)) {}

  progress on_rows(rows_cursor& in, outlet& to) override {
    if (in.input == 0 && time_) look_at(rows_in<T>(std::as_const(*in.rows)));
    to.push(std::move(in.rows));
    return progress::done;
  }

  std::optional<timestamp> greatest_time() const override { return greatest_; }

 private:
  void look_at(const batch_of<T>& rows) {
    auto greatest = greatest_.value_or(min_time);
    for (const auto& row : rows.rows()) try {
        greatest = std::max(greatest, time_(row));
      } catch (...) {
        detail::fail_on_row(row);
      }
    greatest_ = greatest;
  }

  row_time<T> time_;
  std::optional<timestamp> greatest_;
};

}  // namespace spillway
