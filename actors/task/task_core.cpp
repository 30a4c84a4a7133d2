#include "actors/task/task_core.hpp"

#include <utility>

namespace spillway {

task_core::task_core(task_parts parts, task_port& port)
    : gate_(std::move(parts.input_of_channel)),
      source_(std::move(parts.source)),
      chain_(std::move(parts.links), *this),
      port_(port),
      flush_each_input_(parts.flush_each_input) {
  for (auto& o : parts.outputs) {
    const auto edge = static_cast<std::uint32_t>(outputs_.size());
    outputs_.push_back({std::move(o.route), edge_writer{edge, o.subpartitions, port}, std::move(o.consumer), o.link, o.side});
  }
}

task_core::state task_core::work(std::size_t steps) {
  wait_for_.reset();
  for (; steps > 0; --steps) {
    chain_.pump(1);
    if (blocked()) return state::blocked;
    if (!chain_.idle()) continue;
    if (finished_) return state::finished;
    if (flush_each_input_ && holds_rows()) {
      flush();
      continue;
    }
    if (owed_) port_.credit(*std::exchange(owed_, std::nullopt));
    if (!(source_ ? next_read() : next_input())) return state::waiting;
  }
  return state::more;
}

bool task_core::next_input() {
  auto event = gate_.next();
  if (!event) return false;
  if (event->what.is_batch()) owed_ = event->channel;
  chain_.push(std::move(event->what), event->input);
  return true;
}

bool task_core::next_read() {
  switch (reading_) {
    case reading::header:
      reading_ = reading::rows;
      reads_backlog_ = source_->backlog();
      chain_.push(control{header{reads_backlog_}});
      return true;
    case reading::rows:
      return read_rows();
    case reading::last_watermark:
      reading_ = reading::end;
      chain_.push(control{watermark{max_time}});
      return true;
    case reading::end:
      chain_.push(control{end_mark{}});
      return true;
  }
  return false;
}

read_result task_core::read(batch_ptr& rows, batch_ptr& refused) try { return source_->read(rows, refused); } catch (...) {
  fail_in_step(chain_.links().front().step);
}

void task_core::assign(const split& s, std::optional<timestamp> history_end) try {
  source_->assign(s, history_end);
} catch (...) {
  fail_in_step(chain_.links().front().step);
}

bool task_core::read_rows() {
  batch_ptr rows, refused;
  const auto result = read(rows, refused);
  if (result.state == read_result::kind::end) reading_ = reading::last_watermark;
  const bool any = rows && !rows->empty();
  if (any) chain_.push(std::move(rows));
  if (refused) {
    element e{std::move(refused)};
    e.side = 1;
    chain_.push(std::move(e));
  }
  if (const auto backlog = source_->backlog(); backlog != reads_backlog_ && reading_ == reading::rows)
    chain_.push(control{backlog_mark{reads_backlog_ = backlog}});
  if (any || result.state != read_result::kind::wait || !chain_.idle()) return true;
  if (result.wait_for != until_told) wait_for_ = result.wait_for;
  return false;
}

void task_core::take(element e) { e.is_batch() ? distribute(0, 0, std::move(e.rows)) : forward(e.mark); }

void task_core::take_side(std::size_t link, std::uint8_t side, batch_ptr rows) { distribute(link, side, std::move(rows)); }

void task_core::distribute(std::size_t link, std::uint8_t side, batch_ptr rows) {
  output* last = nullptr;
  for (auto& o : outputs_) {
    if (o.side != side || (side != 0 && o.link != link)) continue;
    if (last) last->put(rows);
    last = &o;
  }
  if (last) last->put(std::move(rows));
}

/// What throws here is a key function of the consumer's.
void task_core::output::put(batch_ptr rows) try { route->route(std::move(rows), writer); } catch (...) {
  fail_in_step(consumer);
}

/// `max_time` stays inside a task: a consumer knows it from the ends of all its channels.
void task_core::forward(const control& mark) {
  if (const auto* w = std::get_if<watermark>(&mark)) watermark_ = w->at;
  if (const auto* h = std::get_if<header>(&mark)) backlog_ = h->backlog;
  if (const auto* b = std::get_if<backlog_mark>(&mark)) backlog_ = b->begins;
  finished_ = finished_ || std::holds_alternative<end_mark>(mark);
  if (std::holds_alternative<watermark>(mark) && watermark_ == max_time) return;
  for (auto& o : outputs_) {
    o.route->flush(o.writer);
    o.writer.put_all(mark);
  }
}

bool task_core::blocked() const {
  for (const auto& o : outputs_)
    if (o.writer.blocked()) return true;
  return false;
}

void task_core::flush() {
  for (auto& o : outputs_) o.route->flush(o.writer);
}

bool task_core::holds_rows() const noexcept {
  for (const auto& o : outputs_)
    if (o.route->holds_rows()) return true;
  return false;
}

void task_core::describe(task_view& view) const {
  for (const auto& l : chain_.links())
    view.steps.push_back({l.step, l.rows_in, l.rows_out, l.op->keys(), l.bad ? l.bad->count() : 0});
  for (std::uint32_t edge = 0; edge < outputs_.size(); ++edge) {
    const auto& w = outputs_[edge].writer;
    for (std::uint32_t sub = 0; sub < w.subpartitions(); ++sub)
      view.outputs.push_back({edge, sub, w.permits(sub), w.queued(sub)});
  }
  for (std::uint32_t c = 0; c < gate_.channels(); ++c) view.queued.push_back(gate_.queued(c));
  view.watermark = watermark_;
  view.backlog = backlog_;
  view.aligning = gate_.aligning();
  view.blocked = blocked();
  view.finished = finished_;
  if (source_) {
    const auto p = source_->progress();
    view.read_done = p.done;
    view.read_total = p.total;
    view.steps.front().refused += source_->bad().count();
  }
}

}  // namespace spillway
