#pragma once
// The four ways rows cross an edge.
#include "actors/operators/rows.hpp"
#include "actors/output_side.hpp"
#include "messages/key.hpp"

#include <functional>

namespace spillway {

namespace detail {

/// Passes large batches on as they are and gathers small ones, so that a selective filter does not send a message a row.
template <class T>
class gatherer {
 public:
  template <class Ship>
  void add(batch_ptr rows, Ship&& ship) {
    auto& in = rows_in<T>(*rows);
    if (in.size() * 2 >= batch_of<T>::capacity || in.heap() * 2 >= max_batch_bytes) {
      flush(ship);
      ship(std::move(rows));
      return;
    }
    if constexpr (std::is_trivially_copyable_v<T>)
      if (in.times.empty() && (!open_ || open_->times.empty())) return copy(in, ship);
    const bool mine = rows->sole_holder();
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (!open_) open_ = make_batch<T>(pool_);
      append(in, i, mine);
      if (open_->full()) flush(ship);
    }
  }

  template <class Ship>
  void flush(Ship&& ship) {
    if (open_) ship(std::exchange(open_, {}));
  }

  bool holds_rows() const noexcept { return static_cast<bool>(open_); }

 private:
  template <class Ship>
  void copy(const batch_of<T>& in, Ship& ship) {
    for (std::size_t i = 0; i < in.size();) {
      if (!open_) open_ = make_batch<T>(pool_);
      const auto n = std::min(in.size() - i, batch_of<T>::capacity - open_->size());
      std::copy_n(in.data() + i, n, open_->data() + open_->size());
      open_->set_size(open_->size() + n);
      if (open_->full()) flush(ship);
      i += n;
    }
  }

  void append(batch_of<T>& in, std::size_t i, bool mine) {
    if (!in.times.empty() || !open_->times.empty()) {
      open_->times.resize(open_->size(), min_time);
      open_->times.push_back(in.times.empty() ? min_time : in.times[i]);
    }
    if (mine)
      open_->push(std::move(in[i]));
    else
      open_->push(std::as_const(in)[i]);
  }

  std::shared_ptr<batch_pool> pool_ = std::make_shared<batch_pool>();
  batch_ref<batch_of<T>> open_;
};

}  // namespace detail

/// To the consumer with the producer's own number.
template <class T>
class forward_router final : public router {
 public:
  explicit forward_router(const router_context& ctx) : sub_(ctx.consumers == 1 ? 0 : ctx.subtask) {}
  void route(batch_ptr rows, edge_writer& to) override {
    gather_.add(std::move(rows), [&](batch_ptr b) { to.put(sub_, std::move(b)); });
  }
  void flush(edge_writer& to) override {
    gather_.flush([&](batch_ptr b) { to.put(sub_, std::move(b)); });
  }
  bool holds_rows() const noexcept override { return gather_.holds_rows(); }

 private:
  detail::gatherer<T> gather_;
  std::uint32_t sub_;
};

/// Batch by batch in turn, leaving out consumers that take none now.
template <class T>
class rebalance_router final : public router {
 public:
  explicit rebalance_router(const router_context& ctx) : next_(ctx.subtask % ctx.consumers) {}
  void route(batch_ptr rows, edge_writer& to) override {
    gather_.add(std::move(rows), [&](batch_ptr b) { put(std::move(b), to); });
  }
  void flush(edge_writer& to) override {
    gather_.flush([&](batch_ptr b) { put(std::move(b), to); });
  }
  bool holds_rows() const noexcept override { return gather_.holds_rows(); }

 private:
  void put(batch_ptr rows, edge_writer& to) {
    const auto n = to.subpartitions();
    for (std::uint32_t tried = 1; tried < n && to.permits(next_) == 0; ++tried) next_ = (next_ + 1) % n;
    to.put(next_, std::move(rows));
    next_ = (next_ + 1) % n;
  }

  detail::gatherer<T> gather_;
  std::uint32_t next_;
};

/// Every row to every consumer; they share the batch.
template <class T>
class broadcast_router final : public router {
 public:
  explicit broadcast_router(const router_context&) {}
  void route(batch_ptr rows, edge_writer& to) override {
    gather_.add(std::move(rows), [&](batch_ptr b) { put(b, to); });
  }
  void flush(edge_writer& to) override {
    gather_.flush([&](batch_ptr b) { put(b, to); });
  }
  bool holds_rows() const noexcept override { return gather_.holds_rows(); }

 private:
  static void put(const batch_ptr& rows, edge_writer& to) {
    for (std::uint32_t sub = 0; sub < to.subpartitions(); ++sub) to.put(sub, rows);
  }

  detail::gatherer<T> gather_;
};

/// To the consumer that owns the row's key. `KeyOf` gives the key of a row; hashes that are not cheap travel with the rows.
template <class T, class KeyOf>
class hash_router final : public router {
 public:
  using key_type = std::remove_cvref_t<std::invoke_result_t<const KeyOf&, const T&>>;

  hash_router(KeyOf key_of, const router_context& ctx)
      : key_of_(std::move(key_of)), groups_(ctx.key_groups, ctx.consumers), open_(ctx.consumers) {}

  void route(batch_ptr rows, edge_writer& to) override {
    auto& in = rows_in<T>(*rows);
    if (open_.size() == 1) {
      single_.add(std::move(rows), [&](batch_ptr b) { to.put(0, std::move(b)); });
      return;
    }
    if constexpr (std::is_trivially_copyable_v<T> && cheap_hash<key_type>) {
      if (in.times.empty() && open_times_ == 0 && open_.size() <= most_plain_targets) return scatter_plain(in, to);
    }
    hash_all(in);
    rows->sole_holder() ? scatter<true>(in, to) : scatter<false>(in, to);
  }

  void flush(edge_writer& to) override {
    single_.flush([&](batch_ptr b) { to.put(0, std::move(b)); });
    for (std::uint32_t sub = 0; sub < open_.size(); ++sub) ship(sub, to);
  }

  bool holds_rows() const noexcept override {
    for (const auto& o : open_)
      if (o) return true;
    return single_.holds_rows();
  }

 private:
  void hash_all(const batch_of<T>& in) {
    const auto n = in.size();
    if (!in.hashes.empty()) {
      std::copy(in.hashes.begin(), in.hashes.end(), hashes_.get());
      return;
    }
    std::size_t i = 0;
    try {
      for (; i < n; ++i) hashes_[i] = key_hash(static_cast<const key_type&>(key_of_(in[i])));
    } catch (...) {
      detail::fail_on_row(in[i]);
    }
  }

  batch_of<T>& open(std::uint32_t sub) {
    if (!open_[sub]) open_[sub] = make_batch<T>(pool_);
    return *open_[sub];
  }

  void ship(std::uint32_t sub, edge_writer& to) {
    if (!open_[sub]) return;
    if (!open_[sub]->times.empty()) --open_times_;
    to.put(sub, std::exchange(open_[sub], {}));
  }

  /// Small rows without times: hashed and stored in one loop. The targets are on the stack, where no row that is written can change
  /// them.
  void scatter_plain(const batch_of<T>& in, edge_writer& to) {
    target t[most_plain_targets];
    for (std::uint32_t sub = 0; sub < open_.size(); ++sub) t[sub] = {open(sub).data(), open(sub).size()};
    const auto groups = groups_;
    const KeyOf key_of = key_of_;
    const auto* from = in.data();
    std::size_t i = 0;
    try {
      for (const auto n = in.size(); i < n; ++i) {
        const auto sub = groups.owner_of(key_hash<key_type>(key_of(from[i])));
        auto& o = t[sub];
        o.rows[o.size++] = from[i];
        if (o.size == batch_of<T>::capacity) [[unlikely]] {
          open_[sub]->set_size(o.size);
          ship(sub, to);
          o = {open(sub).data(), 0};
        }
      }
    } catch (...) {
      detail::fail_on_row(from[i]);
    }
    for (std::uint32_t sub = 0; sub < open_.size(); ++sub) {
      open_[sub]->set_size(t[sub].size);
      if (t[sub].size == 0) open_[sub].reset();
    }
  }

  template <bool Mine>
  void scatter(batch_of<T>& in, edge_writer& to) {
    for (std::size_t i = 0, n = in.size(); i < n; ++i) {
      const auto sub = groups_.owner_of(hashes_[i]);
      auto& o = open(sub);
      if (!in.times.empty() || !o.times.empty()) {
        if (o.times.empty()) ++open_times_;
        o.times.resize(o.size(), min_time);
        o.times.push_back(in.times.empty() ? min_time : in.times[i]);
      }
      if constexpr (!cheap_hash<key_type>) o.hashes.push_back(hashes_[i]);
      if constexpr (Mine)
        o.push(std::move(in[i]));
      else
        o.push(std::as_const(in)[i]);
      if (o.full()) ship(sub, to);
    }
  }

  /// Where the next row of a consumer is written.
  struct target {
    T* rows = nullptr;
    std::size_t size = 0;
  };

  static constexpr std::size_t most_plain_targets = 64;

  KeyOf key_of_;
  key_groups groups_;
  std::shared_ptr<batch_pool> pool_ = std::make_shared<batch_pool>();
  std::vector<batch_ref<batch_of<T>>> open_;
  detail::gatherer<T> single_;
  std::size_t open_times_ = 0;
  std::unique_ptr<std::uint64_t[]> hashes_ = std::make_unique_for_overwrite<std::uint64_t[]>(max_batch_rows);
};

}  // namespace spillway
