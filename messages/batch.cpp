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

void detail::assign_text(std::string& to, const char* text) { to = text; }

batch::batch() = default;
batch::~batch() = default;

void batch::add_time(timestamp time) {
  times.resize(size_, min_time);
  times.push_back(time);
}

void batch::add_times(const batch& from, std::size_t at, std::size_t first) {
  if (from.times.empty() && times.empty()) return;
  times.resize(first, min_time);
  if (!from.times.empty()) times.insert(times.end(), from.times.begin() + at, from.times.begin() + at + (size_ - first));
  times.resize(size_, min_time);
}

void batch::go_home() noexcept {
  if (auto home = std::move(home_))
    home->give_back(this);
  else
    delete this;
}

batch_pool::batch_pool(std::size_t keep) : keep_(keep) {}
batch_pool::~batch_pool() { close(); }

std::shared_ptr<batch_pool> batch_pool::make() { return std::make_shared<batch_pool>(); }

batch* batch_pool::take_from(const std::shared_ptr<batch_pool>& pool) noexcept { return pool ? pool->take() : nullptr; }

batch_ptr batch_pool::send_out(batch* b, const std::shared_ptr<batch_pool>& pool) noexcept {
  if (pool) b->home_ = pool;
  return batch_ptr{b};
}

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
