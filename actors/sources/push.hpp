#pragma once
#include "actors/made.hpp"
#include "actors/source.hpp"
#include "actors/sources/push_queue.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

template <class T>
class pushed_rows final : public push_queue {
 public:
  using push_queue::push_queue;

  template <class Row>
  bool add(Row&& row) {
    return add(room(), std::forward<Row>(row));
  }
  template <class Row>
  bool try_add(Row&& row) {
    return add(room_now(), std::forward<Row>(row));
  }

  /// Swaps the rows that wait for the empty `rows`.
  void take(std::vector<T>& rows) {
    auto lock = all();
    rows_.swap(rows);
    took_all(std::move(lock));
  }

 private:
  template <class Row>
  bool add(std::unique_lock<std::mutex> lock, Row&& row) {
    if (!lock) return false;
    rows_.push_back(std::forward<Row>(row));
    put(std::move(lock));
    return true;
  }

  std::vector<T> rows_;
};

template <record T>
class inbox_reader final : public source_reader<T> {
 public:
  inbox_reader(std::shared_ptr<pushed_rows<T>> from, const std::string& step) : from_(std::move(from)) {
    from_->reader_comes(step);
  }
  ~inbox_reader() override { from_->reader_goes(); }

  read_result read(batch_of<T>& to) override {
    if (next_ == rows_.size()) {
      const auto there = from_->wait_for_rows();
      if (there == push_queue::rows::no_more) return read_result::end();
      if (there == push_queue::rows::none) return read_result::more();
      rows_.clear();
      next_ = 0;
      from_->take(rows_);
    }
    for (; next_ < rows_.size() && !to.full(); ++next_, ++done_) to.push(std::move(rows_[next_]));
    return read_result::more();
  }

  read_progress progress() const override { return {done_, {}}; }

 private:
  std::shared_ptr<pushed_rows<T>> from_;
  std::vector<T> rows_;
  std::size_t next_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace detail

/// A source that the program itself feeds, from any thread:
///
///     sw::inbox<order> orders;
///     p.read("orders", orders)…;
///     auto job = sw::start(p);
///     orders.push({.id = 7});
///     orders.close();
///
/// Copies are handles of the same inbox. It is read by one job at a time, which forgets the rows it has when it is restarted:
/// they are kept nowhere. Rows wait in the inbox, `capacity` of them at most, until the job takes all of them at once; so a job
/// that cannot keep up holds back those who push, and up to two times `capacity` rows are under way.
///
/// Threads: all members may be called by any thread, also before the job starts. Rows of one thread stay in order.
template <class T, boundedness Bounds = unbounded>
class inbox {
 public:
  static_assert(row_checked<T>);
  using row = T;
  static constexpr auto bounds = Bounds;
  static constexpr auto verb = "inbox";
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;

  explicit inbox(std::size_t capacity = 4096) : rows_(std::make_shared<detail::pushed_rows<T>>(capacity)) {}

  /// Hands in a row, and waits while there is no room for it, also for a job to start. False if it was not taken as the inbox is
  /// closed or its job has ended.
  bool push(const T& row) const { return rows_->add(row); }
  bool push(T&& row) const { return rows_->add(std::move(row)); }

  /// The same without waiting: false also if there is no room. A row that was not taken is unchanged.
  bool try_push(const T& row) const { return rows_->try_add(row); }
  bool try_push(T&& row) const { return rows_->try_add(std::move(row)); }

  /// No row is taken from now on, and those who wait to push are told so. The source ends behind the rows that are there, also if
  /// it is unbounded.
  void close() const { rows_->close(); }

  /// The job's: those who wait to push are told when it ends, also if it ends before it reads.
  std::shared_ptr<const void> attach() const {
    rows_->job_comes();
    return {rows_.get(), [rows = rows_](const void*) { rows->job_goes(); }};
  }

  std::unique_ptr<source_reader<T>> open(const source_context& context) const {
    return detail::made<source_reader<T>, detail::inbox_reader<T>>(rows_, context.step);
  }

 private:
  std::shared_ptr<detail::pushed_rows<T>> rows_;
};

}  // namespace spillway
