#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace spillway::detail {

/// Who waits for whom between the threads that push rows and the one that reads them; the rows are with whoever derives from it.
///
/// Threads: all of it may be called by any thread.
class push_queue {
 public:
  explicit push_queue(std::size_t capacity);
  push_queue(const push_queue&) = delete;
  push_queue& operator=(const push_queue&) = delete;

  /// No row is taken from now on.
  void close();

  /// A job is to come or has come with a reader.
  void job_comes();
  /// It will come with none, or the reader has gone.
  void job_goes();

  /// Throws `pipeline_error` if there is a reader.
  void reader_comes(const std::string& step);
  void reader_goes();

  enum class rows : std::uint8_t { some, none, no_more };
  /// Waits until rows are there, or none will come, for 50 ms at most.
  rows wait_for_rows();

 protected:
  ~push_queue() = default;

  /// The right to put one row in the queue, or nothing: there is no room, or no row is taken any more.
  std::unique_lock<std::mutex> room_now();
  /// Waits for room. Nothing: no row is taken any more.
  std::unique_lock<std::mutex> room();
  /// Says that a row was put in.
  void put(std::unique_lock<std::mutex> lock);
  /// The right to take all rows out, after which there is room again.
  std::unique_lock<std::mutex> all();
  void took_all(std::unique_lock<std::mutex> lock);

 private:
  enum class reading : std::uint8_t { not_yet, now, over };

  bool takes_rows() const noexcept { return !closed_ && reader_ != reading::over; }

  std::mutex mutex_;
  std::condition_variable has_room_, has_rows_;
  const std::size_t capacity_;
  std::size_t waiting_ = 0;
  bool closed_ = false;
  reading reader_ = reading::not_yet;
};

}  // namespace spillway::detail
