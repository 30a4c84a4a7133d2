#pragma once
#include "actors/source.hpp"

namespace spillway {

/// A reader without its row type.
class source_head {
 public:
  virtual ~source_head() = default;
  /// Gives the rows at hand now, perhaps none.
  virtual read_result read(batch_ptr& rows) = 0;
  virtual read_progress progress() const { return {}; }
  virtual source_position position() const { return {}; }
  virtual void seek(const source_position& p) { (void)p; }
  virtual bool backlog() const { return false; }
  virtual void committed(const source_position& p) { (void)p; }
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
  source_position position() const override { return reader_->position(); }
  void seek(const source_position& p) override { reader_->seek(p); }
  bool backlog() const override { return reader_->backlog(); }
  void committed(const source_position& p) override { reader_->committed(p); }

 private:
  std::unique_ptr<source_reader<T>> reader_;
  std::shared_ptr<batch_pool> pool_ = batch_pool::make();
};

}  // namespace spillway
