#include "messages/batch.hpp"

#include <algorithm>

namespace spillway {

namespace {

std::uint32_t this_thread() noexcept {
  static std::atomic<std::uint32_t> threads{0};
  thread_local const auto number = threads.fetch_add(1, std::memory_order_relaxed);
  return number;
}

}  // namespace

batch* batch_pool::take() noexcept {
  const auto here = this_thread();
  std::lock_guard lock{mutex_};
  if (idle_.empty()) return nullptr;
  auto at = std::find_if(idle_.rbegin(), idle_.rend(), [&](const auto& i) { return i.thread == here; });
  if (at == idle_.rend()) at = idle_.rbegin();
  auto* b = at->b;
  *at = idle_.back();
  idle_.pop_back();
  return b;
}

void batch_pool::give_back(batch* b) noexcept {
  b->recycle();
  b->size_ = 0;
  b->times.clear();
  b->hashes.clear();
  const auto here = this_thread();
  {
    std::lock_guard lock{mutex_};
    if (!closed_ && idle_.size() < keep_) {
      idle_.push_back({b, here});
      return;
    }
  }
  delete b;
}

void batch_pool::close() noexcept {
  std::vector<idle_buffer> idle;
  {
    std::lock_guard lock{mutex_};
    closed_ = true;
    idle.swap(idle_);
  }
  for (const auto& i : idle) delete i.b;
}

}  // namespace spillway
