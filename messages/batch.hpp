#pragma once
// Batches: what moves between operators. Rows of one type in one buffer, counted references, buffers that go home to a pool.
#include "messages/record.hpp"
#include "messages/time.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace spillway {

/// A batch is full at 4096 rows or 64 KiB, whichever comes first: larger ones fall out of the L2 cache.
inline constexpr std::size_t max_batch_rows = 4096;
inline constexpr std::size_t max_batch_bytes = 64 * 1024;

class batch_pool;

template <class B>
class batch_ref;

/// What all batches have in common, whatever their rows.
///
/// Threads: a batch belongs to whoever holds it; the reference count alone is atomic. Rows of a batch with several holders are
/// only read.
class batch {
 public:
  virtual ~batch();

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

  /// True if nobody else can see this batch: only then may its rows be changed or moved from.
  bool sole_holder() const noexcept { return refs_.load(std::memory_order_acquire) == 1; }

  virtual bool full() const noexcept = 0;
  virtual bool half_full() const noexcept = 0;

  /// An empty batch for rows of the same type, which goes home to `pool`.
  virtual batch_ref<batch> empty_one(const std::shared_ptr<batch_pool>& pool) const = 0;

  /// Appends rows of `from`, of the same type, from its row `at` on, until this one is full or they are all there; says how many.
  /// Rows are moved if `mine`.
  virtual std::size_t append(batch& from, std::size_t at, bool mine) = 0;

  /// One event time a row, or none at all.
  std::vector<timestamp> times;

  /// One key hash a row, or none at all.
  std::vector<std::uint64_t> hashes;

  /// The event time of the next row that is pushed; rows before it that have none get `min_time`.
  void add_time(timestamp time);

  /// The event times of the rows of `from` from its row `at` on, for all rows from `first` on; those that have none get
  /// `min_time`.
  void add_times(const batch& from, std::size_t at, std::size_t first);

 protected:
  batch();
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;

  std::size_t size_ = 0;

 private:
  /// Makes the buffer ready for its next trip, apart from what all batches share.
  virtual void recycle() = 0;

  friend class batch_pool;
  template <class B>
  friend class batch_ref;

  void add_ref() noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) go_home();
  }
  void go_home() noexcept;

  std::atomic<std::uint32_t> refs_{0};
  std::shared_ptr<batch_pool> home_;
};

/// A counted reference to a batch.
template <class B>
class batch_ref {
 public:
  batch_ref() = default;
  explicit batch_ref(B* b) noexcept : b_(b) {
    if (b_) b_->batch::add_ref();
  }
  batch_ref(const batch_ref& o) noexcept : batch_ref(o.b_) {}
  batch_ref(batch_ref&& o) noexcept : b_(std::exchange(o.b_, nullptr)) {}
  template <class D>
    requires std::is_base_of_v<B, D>
  batch_ref(batch_ref<D> o) noexcept : b_(o.detach()) {}
  batch_ref& operator=(batch_ref o) noexcept {
    std::swap(b_, o.b_);
    return *this;
  }
  ~batch_ref() {
    if (b_) b_->batch::release();
  }

  B* get() const noexcept { return b_; }
  B* operator->() const noexcept { return b_; }
  B& operator*() const noexcept { return *b_; }
  explicit operator bool() const noexcept { return b_ != nullptr; }
  void reset() noexcept { *this = batch_ref{}; }

  /// Gives the reference up without releasing it.
  B* detach() noexcept { return std::exchange(b_, nullptr); }

  /// Takes over a reference given up by `detach`.
  static batch_ref adopt(B* b) noexcept {
    batch_ref r;
    r.b_ = b;
    return r;
  }

 private:
  B* b_ = nullptr;
};

using batch_ptr = batch_ref<batch>;

/// Where the buffers of one producer wait to be filled again. The last holder of a batch sends it home, on whatever thread that
/// is, while the producer lives; afterwards the batch is freed. Keeps at most `keep` idle buffers, all of one row type.
class batch_pool {
 public:
  explicit batch_pool(std::size_t keep = 16);
  ~batch_pool();
  batch_pool(const batch_pool&) = delete;
  batch_pool& operator=(const batch_pool&) = delete;

  static std::shared_ptr<batch_pool> make();

  /// An idle buffer, or null. One that came home on the calling thread is preferred: it is in this core's cache.
  batch* take() noexcept;

  /// Takes `b`, which nobody holds, back; frees it if the producer is gone or enough buffers are idle.
  void give_back(batch* b) noexcept;

  /// The producer is gone: idle buffers, and all that come home from now on, are freed.
  void close() noexcept;

  /// An idle buffer of `pool`, or null. Without a pool there is none.
  static batch* take_from(const std::shared_ptr<batch_pool>& pool) noexcept;

  /// A reference to `b`, which goes home to `pool` afterwards.
  static batch_ptr send_out(batch* b, const std::shared_ptr<batch_pool>& pool) noexcept;

 private:
  struct idle_buffer {
    batch* b;
    std::uint32_t thread;
  };

  std::mutex mutex_;
  std::vector<idle_buffer> idle_;
  std::size_t keep_;
  bool closed_ = false;
};

namespace detail {

/// Not inline: g++ 12 warns of an overlap where a literal is assigned to a string.
void assign_text(std::string& to, const char* text);

}  // namespace detail

/// Rows of type `T`. The buffer is allocated once, with all rows constructed, and rows are assigned: strings in a buffer that
/// comes home keep their memory for the next row.
template <class T>
class batch_of final : public batch {
 public:
  static constexpr std::size_t capacity = std::clamp<std::size_t>(max_batch_bytes / sizeof(T), 1, max_batch_rows);

  batch_of() {
    if constexpr (std::is_trivially_default_constructible_v<T>)
      rows_ = new T[capacity];
    else
      rows_ = new T[capacity]();
  }
  ~batch_of() override { delete[] rows_; }

  T* data() noexcept { return rows_; }
  const T* data() const noexcept { return rows_; }
  std::span<T> rows() noexcept { return {rows_, size_}; }
  std::span<const T> rows() const noexcept { return {rows_, size_}; }
  T& operator[](std::size_t i) noexcept { return rows_[i]; }
  const T& operator[](std::size_t i) const noexcept { return rows_[i]; }

  /// Also full when the rows hold as much on the heap as a batch may hold in all.
  bool full() const noexcept override { return size_ == capacity || heap_ >= max_batch_bytes; }
  bool half_full() const noexcept override { return size_ * 2 >= capacity || heap_ * 2 >= max_batch_bytes; }

  batch_ref<batch> empty_one(const std::shared_ptr<batch_pool>& pool) const override;
  std::size_t append(batch& from, std::size_t at, bool mine) override;

  /// Appends a row. The batch must not be full.
  template <class U>
  void push(U&& row) {
    if constexpr (std::is_same_v<T, std::string> && std::is_array_v<std::remove_reference_t<U>>)
      push_with([&](T& slot) { detail::assign_text(slot, row); });
    else
      push_with([&](T& slot) { slot = std::forward<U>(row); });
  }

  template <class U>
  void push(U&& row, timestamp time) {
    add_time(time);
    push(std::forward<U>(row));
  }

  /// Appends the row that `fill` makes of the slot it is given, which holds some older row. The batch must not be full.
  template <class Fill>
  void push_with(Fill&& fill) {
    auto& slot = rows_[size_];
    fill(slot);
    if constexpr (!std::is_trivially_copyable_v<T>) heap_ += heap_bytes(slot);
    ++size_;
  }

  /// For loops that wrote `n` rows through `data()`.
  void set_size(std::size_t n) noexcept {
    size_ = n;
    if constexpr (!std::is_trivially_copyable_v<T>) {
      heap_ = 0;
      for (std::size_t i = 0; i < n; ++i) heap_ += heap_bytes(rows_[i]);
    }
  }
  void set_size(std::size_t n, std::size_t heap) noexcept {
    size_ = n;
    heap_ = heap;
  }

  /// Bytes on the heap of the rows, see `heap_bytes`.
  std::size_t heap() const noexcept { return heap_; }

 private:
  /// Rows keep their memory from trip to trip; now and then it is looked at, and given up if there is too much.
  void recycle() override {
    heap_ = 0;
    if constexpr (!std::is_trivially_copyable_v<T>)
      if (++trips_ % 16 == 0) shrink();
  }

  void shrink() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < capacity; ++i) kept += heap_allocated(rows_[i]);
    if (kept > 4 * max_batch_bytes)
      for (std::size_t i = 0; i < capacity; ++i) rows_[i] = T{};
  }

  T* rows_;
  std::size_t heap_ = 0;
  std::uint32_t trips_ = 0;
};

/// An empty batch for rows of type `T`, from `pool` if one is idle there; it goes home to `pool`.
template <class T>
batch_ptr new_batch(const std::shared_ptr<batch_pool>& pool) {
  auto* b = batch_pool::take_from(pool);
  if (!b) b = new batch_of<T>;
  return batch_pool::send_out(b, pool);
}

/// As `new_batch`, with its type.
template <class T>
batch_ref<batch_of<T>> make_batch(const std::shared_ptr<batch_pool>& pool) {
  return batch_ref<batch_of<T>>::adopt(static_cast<batch_of<T>*>(new_batch<T>(pool).detach()));
}

template <class T>
batch_ref<batch> batch_of<T>::empty_one(const std::shared_ptr<batch_pool>& pool) const {
  return new_batch<T>(pool);
}

template <class T>
std::size_t batch_of<T>::append(batch& from, std::size_t at, bool mine) {
  auto& rows = static_cast<batch_of&>(from);
  const auto before = size_;
  const auto n = std::min(rows.size_ - at, capacity - size_);
  if constexpr (std::is_trivially_copyable_v<T>) {
    std::copy_n(rows.data() + at, n, data() + size_);
    size_ += n;
  } else {
    for (std::size_t i = at; i < at + n && !full(); ++i)
      mine ? push(std::move(rows.rows_[i])) : push(std::as_const(rows.rows_[i]));
  }
  add_times(rows, at, before);
  return size_ - before;
}

/// The rows of `b`, whose type the graph guarantees.
template <class T>
batch_of<T>& rows_in(batch& b) noexcept {
  return static_cast<batch_of<T>&>(b);
}
template <class T>
const batch_of<T>& rows_in(const batch& b) noexcept {
  return static_cast<const batch_of<T>&>(b);
}

}  // namespace spillway
