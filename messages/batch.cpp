#include "messages/batch.hpp"

namespace spillway {

batch* batch_pool::take() noexcept {
  std::lock_guard lock{mutex_};
  if (idle_.empty()) return nullptr;
  auto* b = idle_.back();
  idle_.pop_back();
  return b;
}

void batch_pool::give_back(batch* b) noexcept {
  b->recycle();
  b->size_ = 0;
  b->times.clear();
  b->hashes.clear();
  {
    std::lock_guard lock{mutex_};
    if (!closed_ && idle_.size() < keep_) {
      idle_.push_back(b);
      return;
    }
  }
  delete b;
}

void batch_pool::close() noexcept {
  std::vector<batch*> idle;
  {
    std::lock_guard lock{mutex_};
    closed_ = true;
    idle.swap(idle_);
  }
  for (auto* b : idle) delete b;
}

}  // namespace spillway
