#include "actors/task/source_driver.hpp"

#include <algorithm>
#include <utility>

namespace spillway {

source_driver::source_driver(std::shared_ptr<const source_body> body, source_context context, bad_rows bad, bool history)
    : body_(std::move(body)), context_(std::move(context)), bad_(context_.step, std::move(bad)), history_(history) {
  context_.bad = &bad_;
}

bool source_driver::wants_split() const noexcept {
  return !asked_ && !last_ && (body_->unbounded || body_->fixed || open_.empty());
}

void source_driver::assign(const split& s, std::optional<timestamp> history_end) {
  asked_ = false;
  opened_ = true;
  auto context = context_;
  context.history_end = history_end;
  open_.push_back({s.name, body_->open(s, context)});
}

void source_driver::no_more() noexcept {
  asked_ = false;
  last_ = true;
}

read_result source_driver::read(batch_ptr& rows, batch_ptr& refused) {
  refused = bad_.take_rows();
  if (refused) return read_result::more();
  if (ended_) return read_result::end();
  const auto result = read_next(rows);
  refused = bad_.take_rows();
  ended_ = result.state == read_result::kind::end;
  return bad_.holds_rows() ? read_result::more() : result;
}

/// Each open split once, until one gives rows or does not wait.
read_result source_driver::read_next(batch_ptr& rows) {
  auto pause = until_told;
  for (auto left = open_.size(); left > 0; --left) {
    turn_ = turn_ < open_.size() ? turn_ : 0;
    auto& r = open_[turn_];
    const auto result = r.head->read(rows);
    if (result.state == read_result::kind::end) {
      done_ += r.head->progress().done;
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(turn_));
      return open_.empty() && last_ ? read_result::end() : read_result::more();
    }
    ++turn_;
    if (result.state == read_result::kind::more || (rows && !rows->empty())) return result;
    pause = std::min(pause, result.wait_for);
  }
  return open_.empty() && last_ ? read_result::end() : read_result::wait(pause);
}

bool source_driver::backlog() const {
  if (history_) return true;
  if (!body_->tells_backlog) return false;
  if (!opened_) return !last_;
  return std::any_of(open_.begin(), open_.end(), [](const auto& r) { return r.head->backlog(); });
}

read_progress source_driver::progress() const {
  auto done = done_;
  for (const auto& r : open_) done += r.head->progress().done;
  if (body_->fixed && !body_->unbounded && open_.size() == 1 && done_ == 0) return {done, open_.front().head->progress().total};
  return {done, std::nullopt};
}

std::vector<source_driver::open_split> source_driver::positions() const {
  std::vector<open_split> all;
  for (const auto& r : open_) all.push_back({r.split, r.head->position()});
  return all;
}

}  // namespace spillway
