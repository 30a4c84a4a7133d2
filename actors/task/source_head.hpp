#pragma once
#include "actors/source.hpp"

namespace spillway {

/// A reader without its row type: what the head of a source task, or a reader's own thread, works with.
class source_head {
 public:
  virtual ~source_head() = default;
  /// Gives the rows at hand now, perhaps none.
  virtual read_result read(batch_ptr& rows) = 0;
  virtual read_progress progress() const = 0;
};

template <class T>
class source_head_of final : public source_head {
 public:
  explicit source_head_of(std::unique_ptr<source_reader<T>> reader) : reader_(std::move(reader)) {}

  read_result read(batch_ptr& rows) override {
    auto b = new_batch<T>(pool_);
    const auto result = reader_->read(rows_in<T>(*b));
    rows = std::move(b);
    return result;
  }

  read_progress progress() const override { return reader_->progress(); }

 private:
  std::unique_ptr<source_reader<T>> reader_;
  std::shared_ptr<batch_pool> pool_ = batch_pool::make();
};

}  // namespace spillway
