#include "actors/compose.hpp"

#include "messages/errors.hpp"

#include <algorithm>

namespace spillway::detail {

namespace {

bool taken(const job_graph& graph, const std::string& name) {
  return std::any_of(graph.steps.begin(), graph.steps.end(), [&](const step& s) { return s.name == name; });
}

/// From the verb and the inputs' names. Steps without state that would share a name get a number; those with state may not, as a
/// number would move when the pipeline changes.
std::string derived_name(const job_graph& graph, const new_step& s, std::initializer_list<const stream_end*> inputs) {
  std::string name;
  for (const auto* in : inputs) name += (name.empty() ? "" : ", ") + graph.at(in->from).name;
  name = inputs.size() == 0 ? s.verb : s.verb + "(" + name + ")";
  if (!taken(graph, name)) return name;
  if (s.stateful)
    throw pipeline_error("there are two steps " + name + " without a name\n  help: name them: ." + s.verb + "(\"name\", ...)");
  int n = 2;
  while (taken(graph, name + " #" + std::to_string(n))) ++n;
  return name + " #" + std::to_string(n);
}

step_id append(job_graph& graph, new_step s, std::initializer_list<const stream_end*> inputs) {
  const bool derived = s.name.empty();
  if (derived) s.name = derived_name(graph, s, inputs);
  const step_id id{static_cast<std::uint32_t>(graph.steps.size())};
  graph.steps.push_back({std::move(s.name), std::move(s.verb), std::move(s.detail), s.kind, 0, s.max_parallelism, s.blocking,
                         s.unbounded, derived, std::move(s.body), std::move(s.file)});
  graph.steps.back().bad = s.bad;
  graph.steps.back().may_refuse = s.may_refuse;
  graph.steps.back().after_history = s.after_history;
  if (s.bad.what() == bad_rows::policy::set_aside) graph.steps.back().sides.push_back(s.bad.to());
  return id;
}

stream_end end_of(const std::shared_ptr<job_graph>& graph, step_id from, std::vector<std::string> columns) {
  stream_end end;
  end.graph = graph;
  end.from = from;
  end.routes = plain_routes();
  end.columns = std::move(columns);
  return end;
}

struct unkeyed_routes final : route_body {
  std::unique_ptr<router> make(route how, const router_context& context) const override {
    switch (how) {
      case route::rebalance:
        return std::make_unique<rebalance_router>(context);
      case route::broadcast:
        return std::make_unique<broadcast_router>();
      default:
        return std::make_unique<forward_router>(context);
    }
  }
};

}  // namespace

stream_end::stream_end() = default;
stream_end::stream_end(const stream_end&) = default;
stream_end::stream_end(stream_end&&) noexcept = default;
stream_end& stream_end::operator=(const stream_end&) = default;
stream_end& stream_end::operator=(stream_end&&) noexcept = default;
stream_end::~stream_end() = default;

new_step::new_step(std::string name, std::string verb) : name(std::move(name)), verb(std::move(verb)) {}
new_step::new_step(new_step&&) noexcept = default;
new_step::~new_step() = default;

std::shared_ptr<job_graph> new_graph() { return std::make_shared<job_graph>(); }

stream_end add_source(const std::shared_ptr<job_graph>& graph, new_step s, std::vector<std::string> columns) {
  s.kind = step_kind::source;
  const auto id = append(*graph, std::move(s), {});
  return end_of(graph, id, std::move(columns));
}

stream_end add_step(std::initializer_list<const stream_end*> inputs, new_step s, std::vector<std::string> columns) {
  const auto& graph = (*inputs.begin())->graph;
  for (const auto* in : inputs)
    if (in->graph != graph) throw pipeline_error("." + s.verb + "() joins streams of two pipelines: they must be of one");
  if (s.detail.empty() && !(*inputs.begin())->key_text.empty()) s.detail = "by " + (*inputs.begin())->key_text;
  const auto id = append(*graph, std::move(s), inputs);
  std::uint32_t input = 0;
  for (const auto* in : inputs) graph->edges.push_back({in->from, id, in->how, input++, in->side, in->key_text, in->routes});
  return end_of(graph, id, std::move(columns));
}

std::shared_ptr<const edge_body> plain_routes() { return std::make_shared<unkeyed_routes>(); }

std::shared_ptr<const step_body> shared(const step_body* body) { return std::shared_ptr<const step_body>(body); }

stream_end by_key(stream_end end, const std::vector<std::string>& key_columns, const route_body* routes) {
  std::shared_ptr<const edge_body> kept{routes};
  end.how = route::by_key;
  end.routes = std::move(kept);
  for (const auto& c : key_columns) end.key_text += (end.key_text.empty() ? "" : ", ") + c;
  return end;
}

void add_column(std::vector<std::string>& to, std::string_view name) { to.emplace_back(name.empty() ? "key" : name); }

std::vector<std::string> joined(std::vector<std::string> columns, const std::vector<std::string>& more) {
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

void set_bad_rows(const stream_end& end, const bad_rows& how) {
  auto& s = end.graph->steps[end.from.value];
  if (s.bad.what() != bad_rows::policy::fail)
    throw pipeline_error("step '" + s.name + "': what becomes of bad rows is said twice");
  if (!s.may_refuse)
    throw pipeline_error(
        "step '" + s.name + "': " + s.verb +
        "() passes rows on as they are and refuses none\n  help: say what becomes of bad rows in the sources, or "
        "in the steps with code of yours");
  s.bad = how;
  if (how.what() == bad_rows::policy::set_aside) s.sides.push_back(how.to());
}

void check_within(const stream_end& end, std::optional<std::chrono::microseconds> within) {
  const auto& s = end.graph->at(end.from);
  if (within && within->count() < 0)
    throw pipeline_error("deduplicate_by behind step '" + s.name + "': the time within which rows are the same is negative");
  if (within && !end.time_of.has_value())
    throw pipeline_error("deduplicate_by behind step '" + s.name +
                         "': the time of its rows is not known, so there is no 'within'\n  help: say .time = &row::member in the "
                         "sources of this stream, or leave 'within' out, which remembers every key for ever");
}

void throw_no_time(const stream_end& live) {
  throw pipeline_error(
      "step '" + live.graph->at(live.from).name +
      "' begins after the history, but the time of its rows is not known\n  help: say .time = &row::member in its "
      "source, and make rows of another type behind then(), not before");
}

stream_end side_of(const stream_end& end, const std::string& name, std::vector<std::string> columns) {
  const auto& s = end.graph->at(end.from);
  const auto at = std::find(s.sides.begin(), s.sides.end(), name);
  if (at == s.sides.end()) {
    std::string has;
    for (const auto& other : s.sides) has += (has.empty() ? "; it has '" : ", '") + other + '\'';
    throw pipeline_error(
        "step '" + s.name + "' has no side output '" + name + '\'' + has +
        "\n  help: give it to the step, as in .on_error(sw::bad_rows::set_aside(side)), and take the side of that "
        "step's own stream");
  }
  auto side = end_of(end.graph, end.from, std::move(columns));
  side.side = static_cast<std::uint32_t>(at - s.sides.begin()) + 1;
  return side;
}

namespace {

/// The sources that `step` has rows of.
std::vector<std::uint32_t> sources_above(const job_graph& graph, step_id step) {
  std::vector<std::uint32_t> open{step.value}, found;
  std::vector<bool> seen(graph.steps.size());
  while (!open.empty()) {
    const auto s = open.back();
    open.pop_back();
    if (seen[s]) continue;
    seen[s] = true;
    if (graph.steps[s].kind == step_kind::source) found.push_back(s);
    for (const auto& e : graph.edges)
      if (e.to.value == s) open.push_back(e.from.value);
  }
  return found;
}

/// True if `source` is read only after `first` has ended, directly or not.
bool waits_for(const job_graph& graph, std::uint32_t source, std::uint32_t first) {
  for (auto then : graph.steps[source].opened_by)
    for (const auto& e : graph.edges)
      if (e.to == then && e.input == 0)
        for (auto above : sources_above(graph, e.from))
          if (above == first || waits_for(graph, above, first)) return true;
  return false;
}

}  // namespace

void open_in_turn(const stream_end& then, const stream_end& first, const stream_end& second) {
  auto& graph = *then.graph;
  const auto firsts = sources_above(graph, first.from);
  for (auto second_source : sources_above(graph, second.from)) {
    for (auto f : firsts)
      if (f == second_source || waits_for(graph, f, second_source))
        throw pipeline_error("step '" + graph.at(then.from).name + "' reads '" + graph.steps[second_source].name +
                             "' after itself: its second part would wait for its own end\n  help: the two parts of then() have "
                             "sources of their own");
    graph.steps[second_source].opened_by.push_back(then.from);
  }
  for (auto f : firsts) graph.steps[f].history = true;
}

void set_parallelism(const stream_end& end, std::uint32_t n) {
  auto& s = end.graph->steps[end.from.value];
  if (n == 0) throw pipeline_error("step '" + s.name + "': its parallelism is 0, but it must be at least 1");
  s.parallelism = n;
}

}  // namespace spillway::detail
