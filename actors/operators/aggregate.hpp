#pragma once
#include "actors/aggregate_traits.hpp"
#include "actors/operators/keyed_rows.hpp"
#include "actors/operators/shapes.hpp"

namespace spillway {

/// One result for each key when the input has ended; `many` gives a row for each of its own. A stream that is one group has a
/// result even over nothing.
template <class T, class KeyOf, class A, class Shape>
class aggregate_stage final : public stage {
  using traits = detail::aggregate_traits<A, T>;
  using key_type = typename detail::keyed_rows<T, KeyOf>::key_type;
  using result = typename Shape::row;
  using table = key_table<key_type, typename traits::state>;
  static constexpr bool gives_many = detail::is_a<typename traits::result_type, many>;

 public:
  aggregate_stage(KeyOf key_of, A a, Shape shape, const stage_context& ctx)
      : a_(std::move(a)),
        shape_(std::move(shape)),
        initial_(traits::init(a_)),
        keys_(std::move(key_of)),
        table_(ctx.groups, ctx.subtask),
        ctx_(ctx) {}

  progress on_rows(rows_cursor& in, outlet&) override {
    const auto& rows = rows_in<T>(std::as_const(*in.rows));
    for (std::size_t at = 0; at < rows.size(); at += lookup_block) add_block(rows, at, std::min(lookup_block, rows.size() - at));
    return progress::done;
  }

  progress on_mark(const control& mark, outlet& to) override {
    if (!std::holds_alternative<end_mark>(mark)) return progress::done;
    if constexpr (std::is_same_v<key_type, no_key>)
      if (const auto hash = key_hash(no_key{}); ctx_.groups.owner_of(hash) == ctx_.subtask) table_.at(hash, no_key{}, initial_);
    out_.bind(to);
    const bool all = table_.walk(next_, [&](const key_type& key, typename traits::state& s) {
      emit(key, s);
      return !to.full();
    });
    if (!all) return progress::more;
    out_.flush();
    return progress::done;
  }

  std::any answer(const question& q) override {
    const auto* s = table_.find(q.hash, detail::key_from<key_type>(q));
    if (!s) return detail::reply_with<typename traits::result_type>(q, nullptr);
    const typename traits::result_type value = traits::result(a_, *s);
    return detail::reply_with(q, &value);
  }

  std::uint64_t keys() const override { return table_.size(); }

 private:
  void add_block(const batch_of<T>& rows, std::size_t at, std::size_t n) {
    const auto* hashes = keys_.look_ahead(rows, at, n, table_);
    const auto* from = rows.data() + at;
    std::size_t i = 0;
    try {
      for (; i < n; ++i) traits::add(a_, table_.at(hashes[i], keys_.key(from[i]), initial_), from[i]);
    } catch (...) {
      detail::fail_on_row(from[i]);
    }
  }

  void emit(const key_type& key, const typename traits::state& s) {
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

  A a_;
  Shape shape_;
  typename traits::state initial_;
  detail::keyed_rows<T, KeyOf> keys_;
  table table_;
  stage_context ctx_;
  typename table::cursor next_;
  out<result> out_{std::make_shared<batch_pool>()};
};

}  // namespace spillway
