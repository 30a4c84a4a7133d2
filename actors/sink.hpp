#pragma once
// What a sink is made of. A description (an aggregate: options, `open`) is what users pass to `write`, which supplies the row
// type; the writer it opens does the work.
#include "messages/batch.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spillway {

/// What a writer is told when it is opened.
struct sink_context {
  std::string step;
  std::uint32_t subtask = 0;
  std::uint32_t parallelism = 1;
  /// The flat columns of the rows, see `column_names`.
  std::vector<std::string> columns;
};

/// Writes one subtask's share of a stream.
///
/// Threads: called by one thread at a time. A description with `static constexpr bool blocking = true` says that its writers may
/// wait for a disk or a peer: they get a thread of their own. Errors: throw; the job fails with the step's name before the text.
///
/// A description with `std::string file() const` names the file that it writes as a whole: a job that also reads it, or writes it
/// twice, is refused before it runs.
template <record T>
class sink_writer {
 public:
  virtual ~sink_writer() = default;

  /// Takes the rows of one batch, which stay the caller's.
  virtual void write(const batch_of<T>& rows) = 0;

  /// No row came for the buffer timeout: what was written should become visible.
  virtual void flush() {}

  /// All rows were written: makes the result whole. Not called when the job fails or is cancelled.
  virtual void close() {}
};

}  // namespace spillway
