#pragma once
#include "actors/operators/rows.hpp"
#include "actors/sink.hpp"

namespace spillway {

/// Hands rows to a sink's writer.
template <class T>
class write_stage final : public stage {
 public:
  explicit write_stage(std::unique_ptr<sink_writer<T>> writer) : writer_(std::move(writer)) {}

  progress on_rows(rows_cursor& in, outlet&) override {
    writer_->write(rows_in<T>(std::as_const(*in.rows)));
    written_ = true;
    return progress::done;
  }

  progress on_mark(const control& mark, outlet&) override {
    if (is_end(mark)) writer_->close();
    return progress::done;
  }

  void on_pause() override {
    if (std::exchange(written_, false) || writer_->flush_again()) writer_->flush();
  }

  std::optional<std::chrono::microseconds> pause_again() const override { return writer_->flush_again(); }

 private:
  std::unique_ptr<sink_writer<T>> writer_;
  bool written_ = false;
};

}  // namespace spillway
