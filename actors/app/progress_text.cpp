#include "actors/app/progress_text.hpp"

#include <algorithm>
#include <cmath>

namespace spillway {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t longest_name = 40;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::string rows_text(std::uint64_t n) { return number_text(n) + (n == 1 ? " row" : " rows"); }

/// True for tasks that an unbounded source feeds.
std::vector<bool> unbounded_tasks(const execution_plan& plan) {
  std::vector<bool> is(plan.vertices.size());
  for (const auto& v : plan.vertices)
    is[v.id.value] = std::any_of(v.steps.begin(), v.steps.end(), [&](step_id s) { return plan.graph.at(s).unbounded; });
  for (bool more = true; more;) {
    more = false;
    for (const auto& e : plan.edges)
      if (is[e.from.value] && !is[e.to.value]) more = is[e.to.value] = true;
  }
  return is;
}

}  // namespace

std::string number_text(std::uint64_t n) {
  auto text = std::to_string(n);
  for (auto at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string time_text(milliseconds t) {
  if (t < milliseconds{100}) return std::to_string(t.count()) + " ms";
  const auto tenths = t.count() / 100;
  if (tenths < 600) return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  const auto seconds = tenths / 10;
  if (seconds < 3600) return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
  return number_text(static_cast<std::uint64_t>(seconds / 3600)) + " h " + std::to_string(seconds / 60 % 60) + " min";
}

std::string cut(const std::string& text, std::size_t width) {
  if (characters(text) <= width) return text;
  std::size_t kept = 0, at = 0;
  while (kept + 1 < width) {
    while (++at < text.size() && continues_character(text[at])) continue;
    ++kept;
  }
  return text.substr(0, at) + (width > 0 ? "…" : "");
}

std::vector<std::string> refused_text(const job_view& job) {
  std::vector<std::pair<std::string, std::uint64_t>> steps;
  for (const auto& t : job.tasks)
    for (const auto& s : t.steps) {
      if (s.refused == 0) continue;
      auto at = std::find_if(steps.begin(), steps.end(), [&](const auto& known) { return known.first == s.step; });
      if (at == steps.end()) at = steps.insert(at, {s.step, 0});
      at->second += s.refused;
    }
  std::vector<std::string> lines;
  for (const auto& [step, n] : steps) lines.push_back("step '" + step + "' refused " + rows_text(n) + " in all");
  return lines;
}

std::string end_text(const std::string& job, job_phase phase, milliseconds elapsed) {
  const bool whole = phase == job_phase::finished;
  return (whole ? "Finished job '" : "Cancelled job '") + job + (whole ? "' in " : "' after ") + time_text(elapsed);
}

progress_text::progress_text(const execution_plan& plan) {
  const auto unbounded = unbounded_tasks(plan);
  for (const auto& v : plan.vertices) {
    auto& t = tasks_.emplace_back();
    t.name = cut(plan.name_of(v.id), longest_name);
    t.parallelism = v.parallelism;
    t.unbounded = unbounded[v.id.value];
    t.sink_last = plan.graph.at(v.steps.back()).kind == step_kind::sink;
    t.sink_only = t.sink_last && v.steps.size() == 1;
    name_width_ = std::max(name_width_, characters(t.name));
  }
}

void progress_text::update(const job_view& job, milliseconds elapsed) {
  std::vector<std::vector<const task_view*>> subtasks(tasks_.size());
  for (const auto& view : job.tasks)
    if (view.id.vertex.value < subtasks.size()) subtasks[view.id.vertex.value].push_back(&view);
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (tasks_[i].now >= state::finished) continue;
    const auto source = std::find_if(job.sources.begin(), job.sources.end(), [&](const auto& s) { return s.vertex.value == i; });
    update_share(tasks_[i], subtasks[i], source == job.sources.end() ? std::nullopt : source->total);
    update(tasks_[i], subtasks[i], job.phase, elapsed);
  }
  last_look_ = elapsed;
}

void progress_text::update(task& t, const std::vector<const task_view*>& subtasks, job_phase phase, milliseconds elapsed) {
  t.rows_in = t.rows_out = 0;
  bool backlog = false, read = false;
  std::size_t finished = 0;
  for (const auto* view : subtasks) {
    if (!view->steps.empty()) {
      t.rows_in += view->steps.front().rows_in;
      t.rows_out += t.sink_last ? view->steps.back().rows_in : view->steps.back().rows_out;
    }
    backlog = backlog || view->backlog;
    read = read || view->read_done > 0;
    finished += view->finished ? 1 : 0;
  }
  if (!t.began && (t.rows_in > 0 || read)) t.began = last_look_;
  t.last = elapsed;
  if (t.unbounded) update_rate(t, elapsed);
  if (finished == t.parallelism)
    t.now = state::finished;
  else if (phase == job_phase::cancelled || phase == job_phase::failed)
    t.now = state::stopped;
  else if (t.began)
    t.now = !t.unbounded ? state::running : backlog ? state::backlog : state::live;
}

/// A subtask that has ended has read all, whatever it said.
void progress_text::update_share(task& t, const std::vector<const task_view*>& subtasks, std::optional<std::uint64_t> size) {
  if (subtasks.size() < t.parallelism) return;
  double done = 0, total = size ? static_cast<double>(*size) : 0;
  for (const auto* view : subtasks) {
    if (size) {
      done = std::min(total, done + static_cast<double>(view->read_done));
      continue;
    }
    if (!view->read_total && !view->finished) return;
    const auto all = static_cast<double>(view->read_total.value_or(view->read_done));
    done += view->finished ? all : std::min(all, static_cast<double>(view->read_done));
    total += all;
  }
  if (total <= 0) return;
  t.share = std::max(t.share, done / total);
  t.percent = std::min(99, static_cast<int>(t.share * 100));
}

void progress_text::update_rate(task& t, milliseconds elapsed) {
  constexpr milliseconds least{1000};
  const auto passed = elapsed - t.rated_at;
  if (passed < least) return;
  t.rate = static_cast<double>(t.rows_in - std::min(t.rows_in, t.rated_rows)) * 1000 / static_cast<double>(passed.count());
  t.rated_at = elapsed;
  t.rated_rows = t.rows_in;
}

std::vector<std::string> progress_text::lines() const {
  std::vector<std::string> all;
  for (const auto& t : tasks_) all.push_back(line(t));
  return all;
}

std::vector<std::string> progress_text::changes() {
  std::vector<std::string> all;
  for (auto& t : tasks_) {
    if (t.now == t.told) continue;
    t.told = t.now;
    all.push_back(line(t));
  }
  return all;
}

std::string progress_text::line(const task& t) const {
  static constexpr const char* words[] = {" Waiting", " Running", "    Live", " Backlog", "Finished", " Stopped"};
  auto text = std::string{words[static_cast<std::size_t>(t.now)]} + "  " + t.name;
  if (t.now == state::waiting) return text;
  text += std::string(name_width_ - characters(t.name), ' ');
  const auto took = t.last - t.began.value_or(t.last);
  const bool ended = t.now >= state::finished;
  if (!ended && t.percent >= 0) {
    const auto percent = std::to_string(t.percent);
    text += std::string(6 - percent.size(), ' ') + percent + " %";
    const auto left = std::ceil(static_cast<double>(took.count()) * (1 - t.share) / t.share / 1000);
    if (took >= std::chrono::seconds{1} && t.share >= 0.01) {
      const milliseconds rest{static_cast<std::int64_t>(left) * 1000};
      text += "  ~" + (left < 60 ? std::to_string(static_cast<int>(left)) + " s" : time_text(rest)) + " left";
    }
  }
  if (!ended && t.rate) text += "  " + number_text(static_cast<std::uint64_t>(std::llround(*t.rate))) + " rows/s";
  if (!t.sink_only) text += "  " + rows_text(t.rows_in) + " in";
  text += "  " + (t.sink_last ? rows_text(t.rows_out) + " written" : number_text(t.rows_out) + " out");
  return ended ? text + "  " + time_text(took) : text;
}

}  // namespace spillway
