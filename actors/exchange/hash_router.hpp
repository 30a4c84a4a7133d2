#pragma once
#include "actors/exchange/routers.hpp"
#include "actors/operators/rows.hpp"
#include "messages/key.hpp"

#include <functional>

namespace spillway {

/// What a router by key has whatever its rows.
class keyed_router : public router {
 public:
  explicit keyed_router(const router_context& ctx);
  ~keyed_router() override;

  void route(batch_ptr rows, edge_writer& to) final;
  void flush(edge_writer& to) final;
  bool holds_rows() const noexcept final;

 protected:
  /// For several consumers. The rows may be moved from if `mine`.
  virtual void scatter(batch& rows, bool mine, edge_writer& to) = 0;

  void ship(std::uint32_t sub, edge_writer& to);
  std::uint32_t consumers() const noexcept { return static_cast<std::uint32_t>(open_.size()); }

  /// Hashes are stored by their rows' numbers; `ship` cuts off those without a row.
  static void make_room_for_hashes(batch& b, std::size_t rows);

  /// The event time of row `i` of `in` goes to `o`, where the row comes next.
  void add_time(const batch& in, std::size_t i, batch& o);

  key_groups groups_;
  std::shared_ptr<batch_pool> pool_;
  std::vector<batch_ptr> open_;
  /// How many of the open batches have event times.
  std::size_t open_times_ = 0;
  std::unique_ptr<std::uint64_t[]> hashes_;

 private:
  gatherer single_;
};

/// To the consumer that owns the row's key. `KeyOf` gives the key of a row; hashes that are not cheap travel with the rows.
template <class T, class KeyOf>
class hash_router final : public keyed_router {
 public:
  using key_type = std::remove_cvref_t<std::invoke_result_t<const KeyOf&, const T&>>;

  hash_router(KeyOf key_of, const router_context& ctx) : keyed_router(ctx), key_of_(std::move(key_of)) {}

 private:
  void scatter(batch& rows, bool mine, edge_writer& to) override {
    auto& in = rows_in<T>(rows);
    if constexpr (std::is_trivially_copyable_v<T> && cheap_hash<key_type>) {
      if (in.times.empty() && open_times_ == 0 && consumers() <= most_plain_targets) return scatter_plain(in, to);
    }
    scatter_all(in, hashes_of(in), mine, to);
  }

  const std::uint64_t* hashes_of(const batch_of<T>& in) {
    if (!in.hashes.empty()) return in.hashes.data();
    auto* hashes = hashes_.get();
    const auto* from = in.data();
    std::size_t i = 0;
    try {
      for (const auto n = in.size(); i < n; ++i) hashes[i] = key_hash(static_cast<const key_type&>(key_of_(from[i])));
    } catch (...) {
      detail::fail_on_row(from[i], detail::in_key_function);
    }
    return hashes;
  }

  batch_of<T>& open(std::uint32_t sub) {
    if (!open_[sub]) {
      open_[sub] = new_batch<T>(pool_);
      if constexpr (!cheap_hash<key_type>) make_room_for_hashes(*open_[sub], batch_of<T>::capacity);
    }
    return rows_in<T>(*open_[sub]);
  }

  /// Small rows without times: hashed and stored in one loop. The targets are on the stack, where no row that is written can
  /// change them.
  void scatter_plain(const batch_of<T>& in, edge_writer& to) {
    target t[most_plain_targets];
    for (std::uint32_t sub = 0; sub < consumers(); ++sub) t[sub] = {open(sub).data(), open(sub).size()};
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
          open(sub).set_size(o.size);
          ship(sub, to);
          o = {open(sub).data(), 0};
        }
      }
    } catch (...) {
      detail::fail_on_row(from[i], detail::in_key_function);
    }
    for (std::uint32_t sub = 0; sub < consumers(); ++sub) {
      open(sub).set_size(t[sub].size);
      if (t[sub].size == 0) open_[sub].reset();
    }
  }

  void scatter_all(batch_of<T>& in, const std::uint64_t* hashes, bool mine, edge_writer& to) {
    auto* from = in.data();
    for (std::size_t i = 0, n = in.size(); i < n; ++i) {
      const auto sub = groups_.owner_of(hashes[i]);
      auto& o = open(sub);
      if constexpr (!cheap_hash<key_type>) o.hashes[o.size()] = hashes[i];
      if (!in.times.empty() || !o.times.empty()) add_time(in, i, o);
      if (mine)
        o.push(std::move(from[i]));
      else
        o.push(std::as_const(from[i]));
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
};

}  // namespace spillway
