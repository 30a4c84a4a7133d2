#pragma once
// What a user composed, as a value: steps and the streams between them. Nothing here runs.
#include "messages/bad_rows.hpp"
#include "messages/ids.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spillway {

/// How rows cross from the subtasks of one step to those of the next.
enum class route : std::uint8_t {
  forward,    ///< to the subtask of the same number; steps so joined become one task
  rebalance,  ///< batch by batch in turn
  by_key,     ///< to the subtask that owns the row's key
  broadcast,  ///< to every subtask
  automatic,  ///< forward where the parallelism is equal, else rebalance
};

/// What the runtime makes of a step or of an edge. Only the runtime looks inside.
struct step_body {
  virtual ~step_body() = default;
};
struct edge_body {
  virtual ~edge_body() = default;
};

enum class step_kind : std::uint8_t { source, transform, sink };

struct step {
  std::string name;
  /// The verb that made it: `map`, `aggregate` …
  std::string verb;
  /// What `explain` shows behind the verb, such as the key.
  std::string detail;
  step_kind kind = step_kind::transform;
  /// 0: the job's.
  std::uint32_t parallelism = 0;
  /// 0: any.
  std::uint32_t max_parallelism = 0;
  /// Its work may block: it gets a thread of its own (a source: its reader does).
  bool blocking = false;
  /// A source that never ends.
  bool unbounded = false;
  /// The name was made from the verb and the inputs' names.
  bool derived_name = true;
  std::shared_ptr<const step_body> body;
  /// The file that a source reads, or that a sink writes as a whole; "" if there is none.
  std::string file{};
  /// What becomes of rows that it refuses.
  bad_rows bad{};
  /// False for a step that passes rows on as they are: nothing in it refuses one.
  bool may_refuse = true;
  /// Its side outputs, numbered from 1.
  std::vector<std::string> sides{};
  /// Of a source: the `then` steps whose first part must have ended before it is read.
  std::vector<step_id> opened_by{};
  /// Of a source: it begins where the part before it has ended.
  bool after_history = false;
  /// Of a source: all of its rows are old, as it is the first part of some `then`.
  bool history = false;
};

struct stream_edge {
  step_id from, to;
  route how = route::automatic;
  /// Which input of `to`.
  std::uint32_t input = 0;
  /// Which side output of `from`; 0 is the main one.
  std::uint32_t side = 0;
  /// The key, or "".
  std::string detail;
  std::shared_ptr<const edge_body> body;
};

struct job_graph {
  std::vector<step> steps;
  std::vector<stream_edge> edges;

  const step& at(step_id id) const { return steps[id.value]; }
};

}  // namespace spillway
