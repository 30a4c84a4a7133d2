#pragma once
#include "actors/aggregate_traits.hpp"
#include "actors/operators/keyed_rows.hpp"
#include "actors/operators/shapes.hpp"

namespace spillway {

/// What the operators that aggregate by key have in common: a state for each key, and the answer to who asks for its value.
template <class T, class KeyOf, class A>
class keyed_aggregate : public stage {
 protected:
  using traits = detail::aggregate_traits<A, T>;
  using key_type = typename detail::keyed_rows<T, KeyOf>::key_type;
  using state = typename traits::state;
  using value = typename traits::result_type;
  using table = key_table<key_type, state>;

  keyed_aggregate(KeyOf key_of, A a, const stage_context& ctx)
      : a_(std::move(a)), initial_(traits::init(a_)), keys_(std::move(key_of)), table_(ctx.groups, ctx.subtask) {}

 public:
  std::any answer(const question& q) final {
    const auto* s = table_.find(q.hash, detail::key_from<key_type>(q));
    if (!s) return detail::reply_with<value>(q, nullptr);
    const value now = traits::result(a_, *s);
    return detail::reply_with(q, &now);
  }

  std::uint64_t keys() const final { return table_.size(); }

 protected:
  A a_;
  state initial_;
  detail::keyed_rows<T, KeyOf> keys_;
  table table_;
};

}  // namespace spillway
