#pragma once
#include "support/totals.hpp"

#include <spillway.hpp>

#include <memory>
#include <mutex>

namespace bench {

/// Where the subtasks of a sink add up what they got.
class shared_totals {
 public:
  void add(const totals& t) {
    std::lock_guard lock{mutex_};
    totals_ += t;
  }
  totals get() {
    std::lock_guard lock{mutex_};
    return totals_;
  }

 private:
  std::mutex mutex_;
  totals totals_;
};

/// The rows of a batch and the sum of their `value`.
template <class Rows>
totals total_of(const Rows& rows) {
  totals t{rows.size(), 0};
  for (const auto& r : rows) t.sum += r.value;
  return t;
}

/// A sink that counts rows and adds up their `value`.
struct total_sink {
  std::shared_ptr<shared_totals> into;

  template <spillway::record T>
  std::unique_ptr<spillway::sink_writer<T>> open(const spillway::sink_context&) const {
    class writer final : public spillway::sink_writer<T> {
     public:
      explicit writer(std::shared_ptr<shared_totals> into) : into_(std::move(into)) {}
      void write(const spillway::batch_of<T>& rows) override { sum_ += total_of(rows.rows()); }
      void close() override { into_->add(sum_); }

     private:
      std::shared_ptr<shared_totals> into_;
      totals sum_;
    };
    return std::make_unique<writer>(into);
  }
};

}  // namespace bench
