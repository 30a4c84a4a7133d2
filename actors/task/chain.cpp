#include "actors/task/chain.hpp"

#include "messages/errors.hpp"

#include <algorithm>
#include <utility>

namespace spillway {

std::any stage::answer(const question& q) { throw query_error("step '" + q.step + "' keeps nothing by key: it cannot be asked"); }

void fail_in_step(const std::string& step) {
  try {
    throw;
  } catch (const step_failed& e) {
    throw step_failed(e.row, e.what(), step);
  } catch (const std::exception& e) {
    throw step_failed("", e.what(), step);
  } catch (...) {
    throw step_failed("", "it threw something that is not a std::exception", step);
  }
}

void fail_because(std::string row, const std::string& where) {
  try {
    throw;
  } catch (const step_failed&) {
    throw;
  } catch (const std::exception& e) {
    throw step_failed(std::move(row), where + e.what());
  } catch (...) {
    throw step_failed(std::move(row), where + "it threw something that is not a std::exception");
  }
}

chain::chain(std::vector<link> links, chain_sink& sink)
    : links_(std::move(links)), queues_(links_.size() + 1), cursors_(links_.size()), sink_(sink) {}

void chain::push(element e, std::uint32_t input) {
  input_ = input;
  queues_.front().queue_.push_back(std::move(e));
}

bool chain::idle() const noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (has_work(i)) return false;
  return queues_.back().queue_.empty();
}

bool chain::has_work(std::size_t i) const noexcept { return cursors_[i].rows || !queues_[i].queue_.empty(); }

void chain::pump(std::size_t steps) {
  empty_last_queue();
  while (steps > 0 && !sink_.blocked()) {
    auto i = links_.size();
    while (i > 0 && !has_work(i - 1)) --i;
    if (i == 0) return;
    step(i - 1);
    empty_last_queue();
    --steps;
  }
}

void chain::step(std::size_t i) try {
  auto& from = queues_[i].queue_;
  auto& cursor = cursors_[i];
  if (!cursor.rows && from.front().side != 0) {
    sink_.take_side(i, from.front().side, std::move(from.front().rows));
    from.pop_front();
    return;
  }
  if (!cursor.rows && from.front().is_batch()) {
    cursor = {std::move(from.front().rows), 0, i == 0 ? input_ : 0};
    from.pop_front();
    links_[i].rows_in += cursor.rows->size();
  }
  cursor.rows ? work_on_rows(i) : work_on_mark(i);
} catch (const step_failed& e) {
  if (left_out(i, e)) return;
  failed_step_ = links_[i].step;
  throw;
} catch (...) {
  failed_step_ = links_[i].step;
  throw;
}

/// Goes on behind the row that user code refused, if it is to be left out.
bool chain::left_out(std::size_t i, const step_failed& why) {
  auto& [step, op, bad, in, out] = links_[i];
  if (!bad || bad->policy() == bad_rows::policy::fail || !cursors_[i].rows || !why.at_row) return false;
  bad->refuse({step, "", why.row, why.what()}, "");
  queues_[i + 1].push_side(1, bad->take_rows());
  empty_sides(i);
  ++cursors_[i].at;
  return true;
}

void chain::work_on_rows(std::size_t i) {
  if (call(i, [&](stage& op, outlet& out) { return op.on_rows(cursors_[i], out); }) == progress::done) cursors_[i] = {};
}

void chain::work_on_mark(std::size_t i) {
  const auto mark = queues_[i].queue_.front().mark;
  if (call(i, [&](stage& op, outlet& out) { return op.on_mark(mark, out); }) == progress::more) return;
  queues_[i].queue_.pop_front();
  queues_[i + 1].push(mark);
}

template <class Call>
progress chain::call(std::size_t i, Call&& f) {
  auto& out = queues_[i + 1];
  const auto before = out.queue_.size();
  struct after {
    chain& c;
    std::size_t i, before;
    ~after() {
      auto& link = c.links_[i];
      auto& q = c.queues_[i + 1].queue_;
      for (auto n = before; n < q.size(); ++n)
        if (q[n].is_batch()) link.rows_out += q[n].rows->size();
    }
  } count{*this, i, before};
  const auto state = f(*links_[i].op, out);
  empty_sides(i);
  return state;
}

void chain::empty_sides(std::size_t i) {
  for (auto& e : std::exchange(queues_[i + 1].sides_, {})) sink_.take_side(i, e.side, std::move(e.rows));
}

void chain::empty_last_queue() {
  auto& last = queues_.back().queue_;
  while (!last.empty() && !sink_.blocked()) {
    auto e = std::move(last.front());
    last.pop_front();
    sink_.take(std::move(e));
  }
}

void chain::pause() {
  for (auto& l : links_) try {
      l.op->on_pause();
    } catch (...) {
      fail_in_step(l.step);
    }
}

std::optional<std::chrono::microseconds> chain::pause_again() const {
  std::optional<std::chrono::microseconds> first;
  for (const auto& l : links_)
    if (const auto after = l.op->pause_again()) first = std::min(*after, first.value_or(*after));
  return first;
}

}  // namespace spillway
