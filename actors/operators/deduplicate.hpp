#pragma once
#include "actors/operators/keyed_rows.hpp"
#include "actors/row_time.hpp"

namespace spillway {

/// Passes on the first row of each key, and of later ones those whose time is more than `within` from that of the last one passed
/// on. Keys are kept in two tables, each for a time of `within`: the older is dropped when the younger has covered its time, so
/// memory has a bound where rows come roughly in order of time.
template <class T, class KeyOf>
class deduplicate_stage final : public stage {
  using K = typename detail::keyed_rows<T, KeyOf>::key_type;
  using table = key_table<K, timestamp>;

 public:
  /// Without `time`, `within` has no bound and the key alone decides.
  deduplicate_stage(KeyOf key_of, row_time<T> time, std::chrono::microseconds within, const stage_context& ctx)
      : keys_(std::move(key_of)),
        time_(std::move(time)),
        within_(within),
        ctx_(ctx),
        young_(ctx.groups, ctx.subtask),
        old_(ctx.groups, ctx.subtask) {}

  progress on_rows(rows_cursor& in, outlet& to) override {
    const auto& rows = rows_in<T>(std::as_const(*in.rows));
    auto kept = new_batch<T>(pool_);
    try {
      while (in.at < rows.size()) work_block(rows, in.at, rows_in<T>(*kept));
    } catch (...) {
      to.push(std::move(kept));
      throw;
    }
    to.push(std::move(kept));
    return progress::done;
  }

  std::uint64_t keys() const override { return young_.size() + old_.size(); }

 private:
  void work_block(const batch_of<T>& rows, std::size_t& at, batch_of<T>& kept) {
    const auto first = at;
    const auto n = std::min(lookup_block, rows.size() - at);
    const auto* hashes = keys_.look_ahead(rows, at, n, young_);
    try {
      for (std::size_t i = 0; i < n; ++i, ++at) {
        const auto& row = rows[at];
        const auto t = time_ ? time_(row) : min_time;
        if (!is_new(hashes[i], keys_.key(row), t)) continue;
        if (rows.times.empty())
          kept.push(row);
        else
          kept.push(row, rows.times[first + i]);
      }
    } catch (...) {
      detail::fail_at_row(rows[at]);
    }
  }

  bool is_new(std::uint64_t hash, const K& key, timestamp t) {
    if (time_) {
      if (!started_ || t > young_until_) turn_over(t);
      if (const auto* seen = old_.find(hash, key); seen && near(*seen, t)) return false;
    }
    auto& seen = young_.at(hash, key, nobody);
    if (seen != nobody && (!time_ || near(seen, t))) return false;
    seen = t;
    return true;
  }

  /// Times may be further apart than a duration can say.
  bool near(timestamp a, timestamp b) const {
    const auto ticks = [](timestamp t) { return static_cast<std::uint64_t>(t.time_since_epoch().count()); };
    return (a < b ? ticks(b) - ticks(a) : ticks(a) - ticks(b)) <= static_cast<std::uint64_t>(within_.count());
  }

  void turn_over(timestamp t) {
    old_ = std::exchange(young_, table{ctx_.groups, ctx_.subtask});
    young_until_ = t > max_time - within_ ? max_time : t + within_;
    started_ = true;
  }

  static constexpr timestamp nobody = max_time;

  detail::keyed_rows<T, KeyOf> keys_;
  row_time<T> time_;
  std::chrono::microseconds within_;
  stage_context ctx_;
  table young_, old_;
  timestamp young_until_ = min_time;
  bool started_ = false;
  std::shared_ptr<batch_pool> pool_ = batch_pool::make();
};

}  // namespace spillway
