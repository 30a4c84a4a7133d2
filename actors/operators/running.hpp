#pragma once
#include "actors/operators/keyed_aggregate.hpp"

namespace spillway {

/// The value of a key's aggregate after each of its rows.
template <class T, class KeyOf, class A, class Shape>
class running_stage final : public keyed_aggregate<T, KeyOf, A> {
  using base = keyed_aggregate<T, KeyOf, A>;
  using base::a_, base::initial_, base::keys_, base::table_;
  using typename base::traits;
  using result = typename Shape::row;

 public:
  running_stage(KeyOf key_of, A a, Shape shape, const stage_context& ctx)
      : base(std::move(key_of), std::move(a), ctx), shape_(std::move(shape)) {}

  progress on_rows(rows_cursor& in, outlet& to) override {
    const auto& rows = rows_in<T>(std::as_const(*in.rows));
    while (in.at < rows.size() && !to.full()) {
      if (!made_) made_ = new_batch<result>(pool_);
      auto& made = rows_in<result>(*made_);
      const auto room = batch_of<result>::capacity - made.size();
      const auto n = std::min(std::min(lookup_block, rows.size() - in.at), room);
      add_block(rows, in.at, n, made);
      if (made.full()) to.push(std::exchange(made_, {}));
    }
    if (in.at < rows.size()) return progress::more;
    if (made_) to.push(std::exchange(made_, {}));
    return progress::done;
  }

 private:
  /// `n` rows from `at` on, which is left behind the last one worked off.
  void add_block(const batch_of<T>& rows, std::size_t& at, std::size_t n, batch_of<result>& made) {
    const auto* hashes = keys_.look_ahead(rows, at, n, table_);
    const auto* from = rows.data() + at;
    std::size_t i = 0;
    const auto finish = [&] {
      if constexpr (std::is_trivially_copyable_v<result>) made.set_size(made.size() + i);
      made.add_times(rows, at, made.size() - i);
      at += i;
    };
    try {
      if constexpr (std::is_trivially_copyable_v<result>) {
        auto* r = made.data() + made.size();
        for (; i < n; ++i) add_row(hashes[i], from[i], r[i]);
      } else {
        for (; i < n; ++i) made.push_with([&](result& r) { add_row(hashes[i], from[i], r); });
      }
    } catch (...) {
      finish();
      detail::fail_at_row(rows[at]);
    }
    finish();
  }

  void add_row(std::uint64_t hash, const T& row, result& r) {
    decltype(auto) key = keys_.key(row);
    auto& s = table_.at(hash, key, initial_);
    traits::add(a_, s, row);
    shape_(r, key, traits::result(a_, s));
  }

  Shape shape_;
  std::shared_ptr<batch_pool> pool_ = batch_pool::make();
  batch_ptr made_;
};

}  // namespace spillway
