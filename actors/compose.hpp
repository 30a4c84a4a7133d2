#pragma once
// How the pipeline API adds to the graph: everything that does not depend on row types.
#include "actors/exchange/hash_router.hpp"
#include "actors/task/bodies.hpp"

#include <any>
#include <chrono>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spillway::detail {

/// A step's output as the API sees it, its row type apart.
struct stream_end {
  stream_end();
  stream_end(const stream_end&);
  stream_end(stream_end&&) noexcept;
  stream_end& operator=(const stream_end&);
  stream_end& operator=(stream_end&&) noexcept;
  ~stream_end();

  std::shared_ptr<job_graph> graph;
  step_id from;
  /// How the next step's rows are handed over.
  route how = route::automatic;
  std::string key_text;
  std::shared_ptr<const edge_body> routes;
  /// The flat columns of its rows.
  std::vector<std::string> columns;
  /// Which side output of the step; 0 is the main one.
  std::uint32_t side = 0;
  /// The time of a row where it is known: a `row_time<T>` of its row type.
  std::any time_of;
  /// It begins where the history before it has ended.
  bool after_history = false;
};

/// A step to be added; an empty name is derived from the verb and the inputs' names.
struct new_step {
  new_step(std::string name, std::string verb);
  new_step(new_step&&) noexcept;
  ~new_step();

  std::string name;
  std::string verb;
  std::string detail;
  step_kind kind = step_kind::transform;
  std::uint32_t max_parallelism = 0;
  bool blocking = false;
  bool unbounded = false;
  /// Keeps state: two of them cannot be told apart by a number.
  bool stateful = false;
  std::string file;
  bad_rows bad{};
  bool may_refuse = true;
  bool after_history = false;
  std::shared_ptr<const step_body> body;
};

std::shared_ptr<job_graph> new_graph();

/// Adds a source.
stream_end add_source(const std::shared_ptr<job_graph>& graph, new_step s, std::vector<std::string> columns);

/// Adds a step behind `inputs`, which must be of one pipeline. Throws `pipeline_error`.
stream_end add_step(std::initializer_list<const stream_end*> inputs, new_step s, std::vector<std::string> columns);

/// Sets the parallelism of the step that gives `end`. Throws `pipeline_error` if `n` is 0.
void set_parallelism(const stream_end& end, std::uint32_t n);

/// Sets what becomes of the rows that the step refuses. Throws `pipeline_error` if it already says.
void set_bad_rows(const stream_end& end, const bad_rows& how);

/// Throws `pipeline_error` if `within` is given but the time of the rows is not known, or it is negative.
void check_within(const stream_end& end, std::optional<std::chrono::microseconds> within);

[[noreturn]] void throw_no_time(const stream_end& live);

/// The side output `name` of the step that gives `end`. Throws `pipeline_error` naming those it has.
stream_end side_of(const stream_end& end, const std::string& name, std::vector<std::string> columns);

/// The sources upstream of `second` are opened when all upstream of `first` has passed `then`. Throws `pipeline_error` if they
/// would wait for themselves.
void open_in_turn(const stream_end& then, const stream_end& first, const stream_end& second);

/// `end`, with its rows handed over by key. Takes `routes`.
stream_end by_key(stream_end end, const std::vector<std::string>& key_columns, const route_body* routes);

/// `columns`, then `more`.
std::vector<std::string> joined(std::vector<std::string> columns, const std::vector<std::string>& more);

/// The routes of a stream without a key.
std::shared_ptr<const edge_body> plain_routes();

template <class T, class KeyOf>
struct keyed_routes final : route_body {
  explicit keyed_routes(const KeyOf& key_of) : key_of(key_of) {}

  std::unique_ptr<router> make(route, const router_context& context) const override {
    return std::unique_ptr<router>(new hash_router<T, KeyOf>(key_of, context));
  }

  KeyOf key_of;
};

/// An operator by a function of the stage's context that gives a new stage.
template <class Make>
struct operator_by final : operator_body {
  explicit operator_by(const Make& make_stage) : make_stage(make_stage) {}

  std::unique_ptr<stage> make(const stage_context& context) const override { return std::unique_ptr<stage>(make_stage(context)); }

  Make make_stage;
};

/// Without a `std::shared_ptr` of each type of its own.
std::shared_ptr<const step_body> shared(const step_body* body);

template <class Make>
std::shared_ptr<const step_body> make_operator(const Make& make_stage) {
  return shared(new operator_by<Make>(make_stage));
}

/// What a source's or sink's description says of itself, or the default.
template <class D>
constexpr std::uint32_t max_parallelism_of() {
  if constexpr (requires { D::max_parallelism; })
    return D::max_parallelism;
  else
    return 0;
}
template <class D>
constexpr bool blocking_of() {
  if constexpr (requires { D::blocking; })
    return D::blocking;
  else
    return false;
}

/// The file that a description says it reads or writes, or "".
template <class D>
std::string file_of(const D& description) {
  if constexpr (requires { description.file(); })
    return description.file();
  else
    return {};
}

/// How a description is called in names and in `explain`: its own `verb`, or `otherwise`.
template <class D>
std::string verb_of(const char* otherwise) {
  if constexpr (requires { D::verb; })
    return D::verb;
  else
    return otherwise;
}

}  // namespace spillway::detail
