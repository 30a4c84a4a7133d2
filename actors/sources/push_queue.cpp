#include "actors/sources/push_queue.hpp"

#include "messages/errors.hpp"

#include <utility>

namespace spillway::detail {

using lock = std::unique_lock<std::mutex>;

push_queue::push_queue(std::size_t capacity) : capacity_(capacity == 0 ? 1 : capacity) {}

void push_queue::close() {
  {
    const lock l{mutex_};
    closed_ = true;
  }
  has_room_.notify_all();
  has_rows_.notify_all();
}

void push_queue::job_comes() {
  const lock l{mutex_};
  if (reader_ == reading::over) reader_ = reading::not_yet;
}

void push_queue::job_goes() {
  {
    const lock l{mutex_};
    if (reader_ == reading::not_yet) reader_ = reading::over;
  }
  has_room_.notify_all();
}

void push_queue::reader_comes(const std::string& step) {
  const lock l{mutex_};
  if (reader_ == reading::now)
    throw pipeline_error{"step '" + step + "' reads an inbox that another step or job reads\n  help: give each its own"};
  reader_ = reading::now;
}

void push_queue::reader_goes() {
  {
    const lock l{mutex_};
    reader_ = reading::over;
  }
  has_room_.notify_all();
}

push_queue::rows push_queue::wait_for_rows() {
  // The thread is also to hear of other things than rows.
  constexpr std::chrono::milliseconds longest{50};
  lock l{mutex_};
  has_rows_.wait_for(l, longest, [this] { return waiting_ > 0 || closed_; });
  if (waiting_ > 0) return rows::some;
  return closed_ ? rows::no_more : rows::none;
}

lock push_queue::room_now() {
  lock l{mutex_};
  if (!takes_rows() || waiting_ == capacity_) l.unlock();
  return l;
}

lock push_queue::room() {
  lock l{mutex_};
  has_room_.wait(l, [this] { return waiting_ < capacity_ || !takes_rows(); });
  if (!takes_rows()) l.unlock();
  return l;
}

void push_queue::put(lock l) {
  const auto first = waiting_++ == 0;
  l.unlock();
  if (first) has_rows_.notify_one();
}

lock push_queue::all() { return lock{mutex_}; }

void push_queue::took_all(lock l) {
  waiting_ = 0;
  l.unlock();
  has_room_.notify_all();
}

}  // namespace spillway::detail
