#pragma once
#include "actors/sink.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

/// The mutex for what is at `address`: several sinks may write to one vector.
std::mutex& mutex_for(const void* address) noexcept;

template <record T>
class vector_writer final : public sink_writer<T> {
 public:
  explicit vector_writer(std::shared_ptr<std::vector<T>> rows) : rows_(std::move(rows)) {}

  void write(const batch_of<T>& batch) override {
    std::lock_guard lock{mutex_for(rows_.get())};
    rows_->insert(rows_->end(), batch.rows().begin(), batch.rows().end());
  }

 private:
  std::shared_ptr<std::vector<T>> rows_;
};

}  // namespace detail

/// Appends the rows to a vector, in the order in which they come, those of several subtasks batch by batch. The vector may be
/// read once the job has ended.
template <record T>
class to_vector {
 public:
  static constexpr auto verb = "to_vector";

  explicit to_vector(std::shared_ptr<std::vector<T>> rows) : rows_(std::move(rows)) {}

  /// `rows` must outlive the job.
  explicit to_vector(std::vector<T>& rows) : rows_(std::shared_ptr<void>{}, &rows) {}

  template <record Row>
  std::unique_ptr<sink_writer<Row>> open(const sink_context&) const {
    static_assert(std::is_same_v<Row, T>, "to_vector needs a vector of the stream's own rows");
    if constexpr (std::is_same_v<Row, T>) return std::make_unique<detail::vector_writer<T>>(rows_);
  }

 private:
  std::shared_ptr<std::vector<T>> rows_;
};

}  // namespace spillway
