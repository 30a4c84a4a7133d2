#pragma once
// The keyed running sum as one would write it by hand for two threads: the same batches, hashes and table, and nothing else.
#include "support/rows.hpp"
#include "support/spsc_ring.hpp"
#include "support/total_sink.hpp"

#include <array>
#include <atomic>
#include <span>
#include <thread>

namespace bench {

/// One of two threads. It makes half of the rows, keeps those whose keys it owns, and hands the others over, batch by batch.
template <class T>
class hand_worker {
  using rows_ptr = spillway::batch_ref<spillway::batch_of<T>>;
  using key_type = decltype(T::key);
  using result = spillway::keyed<key_type, std::int64_t>;
  static constexpr auto capacity = spillway::batch_of<T>::capacity;
  static constexpr bool plain = std::is_trivially_copyable_v<T>;

 public:
  hand_worker(std::uint32_t me, std::uint64_t rows, std::uint64_t keys)
      : me_(me), next_(rows * me / 2), end_(rows * (me + 1) / 2), keys_(keys), table_(spillway::key_groups{128, 2}, me) {}

  totals run(hand_worker& other) {
    for (auto& o : open_) o.batch = spillway::make_batch<T>(pool_);
    while (next_ < end_) {
      make_batch_of_rows();
      scatter(other);
      work_off();
    }
    for (std::uint32_t to = 0; to < 2; ++to) ship(to, other);
    done_.store(true, std::memory_order_release);
    while (!other.done_.load(std::memory_order_acquire)) work_off_or_yield();
    work_off();
    give_out();
    return sum_;
  }

 private:
  /// Rows for one of the two, not all of which the batch knows of yet.
  struct target {
    rows_ptr batch;
    std::size_t size = 0;
  };

  void make_batch_of_rows() {
    auto* r = scratch_->data();
    scratch_size_ = std::min<std::uint64_t>(capacity, end_ - next_);
    for (std::uint64_t i = 0; i < scratch_size_; ++i) make_row(next_ + i, keys_, r[i]);
    next_ += scratch_size_;
  }

  void scatter(hand_worker& other) {
    std::array<T*, 2> to{open_[0].batch->data(), open_[1].batch->data()};
    std::array<std::size_t, 2> size{open_[0].size, open_[1].size};
    auto* rows = scratch_->data();
    for (std::size_t i = 0; i < scratch_size_; ++i) {
      const auto hash = spillway::key_hash(rows[i].key);
      const auto sub = static_cast<std::uint32_t>(hash >> 63);
      if constexpr (!plain) open_[sub].batch->hashes.push_back(hash);
      to[sub][size[sub]] = std::move(rows[i]);
      if (++size[sub] == capacity) [[unlikely]] {
        open_[sub].size = capacity;
        ship(sub, other);
        to[sub] = open_[sub].batch->data();
        size[sub] = 0;
      }
    }
    for (std::size_t sub = 0; sub < 2; ++sub) open_[sub].size = size[sub];
  }

  void ship(std::uint32_t to, hand_worker& other) {
    auto rows = std::exchange(open_[to].batch, spillway::make_batch<T>(pool_));
    rows->set_size(std::exchange(open_[to].size, 0));
    if (to == me_) return add(*rows);
    while (!other.inbox_.put(rows)) work_off_or_yield();
  }

  bool work_off() {
    bool any = false;
    for (rows_ptr rows; inbox_.take(rows); any = true) add(*rows);
    return any;
  }

  void work_off_or_yield() {
    if (!work_off()) std::this_thread::yield();
  }

  void add(spillway::batch_of<T>& rows) {
    for (std::size_t at = 0; at < rows.size(); at += spillway::lookup_block) {
      const auto n = std::min(spillway::lookup_block, rows.size() - at);
      if (made_size_ + n > spillway::batch_of<result>::capacity) give_out();
      add_block(rows, at, n);
    }
  }

  void add_block(spillway::batch_of<T>& rows, std::size_t at, std::size_t n) {
    const auto* from = rows.data() + at;
    for (std::size_t i = 0; i < n; ++i) {
      hashes_[i] = plain ? spillway::key_hash(from[i].key) : rows.hashes[at + i];
      table_.prefetch(hashes_[i]);
    }
    auto* to = made_->data() + made_size_;
    for (std::size_t i = 0; i < n; ++i) {
      auto& sum = table_.at(hashes_[i], from[i].key, std::int64_t{0});
      sum += from[i].value;
      to[i].key = from[i].key;
      to[i].value = sum;
    }
    made_size_ += n;
  }

  void give_out() { sum_ += total_of(std::span{made_->data(), std::exchange(made_size_, 0)}); }

  std::uint32_t me_;
  std::uint64_t next_, end_, keys_;
  spillway::key_table<key_type, std::int64_t> table_;
  std::shared_ptr<spillway::batch_pool> pool_ = std::make_shared<spillway::batch_pool>();
  rows_ptr scratch_ = spillway::make_batch<T>({});
  std::size_t scratch_size_ = 0;
  std::array<target, 2> open_;
  spsc_ring<rows_ptr, 8> inbox_;
  std::atomic<bool> done_{false};
  std::array<std::uint64_t, spillway::lookup_block> hashes_;
  spillway::batch_ref<spillway::batch_of<result>> made_ = spillway::make_batch<result>({});
  std::size_t made_size_ = 0;
  totals sum_;
};

template <class T>
totals hand_keyed_sum(std::uint64_t rows, std::uint64_t keys) {
  hand_worker<T> first{0, rows, keys}, second{1, rows, keys};
  totals sum;
  std::thread beside{[&] { sum = second.run(first); }};
  const auto mine = first.run(second);
  beside.join();
  sum += mine;
  return sum;
}

}  // namespace bench
