#pragma once
#include "actors/exchange/routers.hpp"
#include "actors/operators/rows.hpp"
#include "messages/key.hpp"

#include <functional>

namespace spillway {

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
      detail::fail_on_row(in[i], detail::in_key_function);
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

  /// Small rows without times: hashed and stored in one loop. The targets are on the stack, where no row that is written can
  /// change them.
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
      detail::fail_on_row(from[i], detail::in_key_function);
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
  gatherer single_;
  std::size_t open_times_ = 0;
  std::unique_ptr<std::uint64_t[]> hashes_ = std::make_unique_for_overwrite<std::uint64_t[]>(max_batch_rows);
};

}  // namespace spillway
