#pragma once
// One operator at work, without a task around it.
#include "actors/task/chain.hpp"
#include "tests/plain/interleavings.hpp"

namespace spillway::tests {

/// Feeds a stage and collects what it gives. `Out` is its row type.
template <class Out>
class one_stage : private chain_sink {
 public:
  explicit one_stage(std::unique_ptr<stage> op, const bad_rows& bad = {}) : chain_{links(std::move(op), bad), *this} {}

  /// Gives the rows as one batch, with event times if there are some.
  template <class In>
  one_stage& feed(const std::vector<In>& rows, const std::vector<timestamp>& times = {}) {
    auto b = make_batch<In>(nullptr);
    for (const auto& r : rows) b->push(r);
    b->times = times;
    return feed(batch_ptr{std::move(b)});
  }
  one_stage& feed(element e) {
    chain_.push(std::move(e));
    return work();
  }
  one_stage& end() { return feed(end_mark{}); }

  /// Until there is nothing to do or the permits are used up.
  one_stage& work() {
    while (!chain_.idle() && permits > 0) chain_.pump(1);
    return *this;
  }

  /// The rows given so far, which are then forgotten.
  std::vector<Out> rows() { return std::exchange(rows_, {}); }
  std::vector<timestamp> times() { return std::exchange(times_, {}); }
  stage& op() { return *chain_.links().front().op; }

  std::size_t permits = 1'000'000;
  std::vector<std::size_t> batches;
  /// Rows that were set aside.
  std::vector<bad_row> refused;

 private:
  static std::vector<chain::link> links(std::unique_ptr<stage> op, const bad_rows& bad) {
    std::vector<chain::link> all;
    all.push_back({"step", std::move(op), std::make_unique<bad_row_book>("step", bad)});
    return all;
  }

  void take_side(std::size_t, std::uint8_t, batch_ptr rows) override {
    const auto& b = rows_in<bad_row>(std::as_const(*rows));
    refused.insert(refused.end(), b.rows().begin(), b.rows().end());
  }

  void take(element e) override {
    if (!e.is_batch()) return;
    --permits;
    const auto& b = rows_in<Out>(std::as_const(*e.rows));
    rows_.insert(rows_.end(), b.rows().begin(), b.rows().end());
    times_.insert(times_.end(), b.times.begin(), b.times.end());
    batches.push_back(b.size());
  }
  bool blocked() const override { return permits == 0; }

  std::vector<Out> rows_;
  std::vector<timestamp> times_;
  chain chain_;
};

/// The failure that `f` ends in, as "row: cause".
template <class F>
std::string failure_of(F f) {
  try {
    f();
  } catch (const step_failed& e) {
    return e.row + ": " + e.what();
  }
  return "";
}

}  // namespace spillway::tests
