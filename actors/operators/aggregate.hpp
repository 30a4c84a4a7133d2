#pragma once
#include "actors/operators/keyed_aggregate.hpp"

namespace spillway {

/// One result for each key when the input has ended; `many` gives a row for each of its own. A stream that is one group has a
/// result even over nothing.
template <class T, class KeyOf, class A, class Shape>
class aggregate_stage final : public keyed_aggregate<T, KeyOf, A> {
  using base = keyed_aggregate<T, KeyOf, A>;
  using base::a_, base::initial_, base::keys_, base::table_;
  using typename base::key_type, typename base::state, typename base::traits;
  using result = typename Shape::row;
  static constexpr bool gives_many = detail::is_a<typename traits::result_type, many>;

 public:
  aggregate_stage(KeyOf key_of, A a, Shape shape, const stage_context& ctx)
      : base(std::move(key_of), std::move(a), ctx), shape_(std::move(shape)), one_group_(owns_one_group(ctx)) {}

  progress on_rows(rows_cursor& in, outlet&) override {
    const auto& rows = rows_in<T>(std::as_const(*in.rows));
    while (in.at < rows.size()) add_block(rows, in.at, std::min(lookup_block, rows.size() - in.at));
    return progress::done;
  }

  progress on_mark(const control& mark, outlet& to) override {
    if (!is_end(mark)) return progress::done;
    if constexpr (std::is_same_v<key_type, no_key>)
      if (one_group_) table_.at(key_hash(no_key{}), no_key{}, initial_);
    out_.bind(to);
    const bool all = table_.walk(next_, [&](const key_type& key, state& s) {
      try {
        emit(key, s);
      } catch (...) {
        detail::fail_on_key(key);
      }
      return !to.full();
    });
    if (!all) return progress::more;
    out_.flush();
    return progress::done;
  }

 private:
  /// True if the stream is one group and this subtask has it.
  static bool owns_one_group(const stage_context& ctx) {
    return std::is_same_v<key_type, no_key> && ctx.groups.owner_of(key_hash(no_key{})) == ctx.subtask;
  }

  /// `n` rows from `at` on, which is left behind the last one worked off.
  void add_block(const batch_of<T>& rows, std::size_t& at, std::size_t n) {
    const auto* hashes = keys_.look_ahead(rows, at, n, table_);
    const auto* from = rows.data() + at;
    std::size_t i = 0;
    try {
      for (; i < n; ++i) traits::add(a_, table_.at(hashes[i], keys_.key(from[i]), initial_), from[i]);
    } catch (...) {
      at += i;
      detail::fail_at_row(rows[at]);
    }
    at += n;
  }

  void emit(const key_type& key, const state& s) {
    result r{};
    if constexpr (gives_many) {
      auto found = traits::result(a_, s);
      for (auto& row : found.rows) {
        shape_(r, key, std::move(row));
        out_(r);
      }
    } else {
      shape_(r, key, traits::result(a_, s));
      out_(std::move(r));
    }
  }

  Shape shape_;
  bool one_group_;
  typename base::table::cursor next_;
  out<result> out_{batch_pool::make()};
};

}  // namespace spillway
