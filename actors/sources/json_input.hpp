#pragma once
#include "actors/source.hpp"
#include "actors/sources/json_shape.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace spillway::detail {

struct json_options {
  std::string path;
  std::size_t max_record = 0, chunk = 0, split_bytes = 0;
};

/// The files that the path means, in pieces. Throws `data_error` if there are none.
std::unique_ptr<split_list> json_splits(const json_options& options);

/// The records of a piece of a file of JSON lines on their way to rows. A piece has the lines that begin in it.
class json_input {
 public:
  /// Throws `data_error` if the file cannot be read. `bad` outlives it.
  json_input(const json_options& options, const split& part, json_shape row, bad_row_port& bad);
  ~json_input();

  /// To be called before rows are read one after another: how long that may take begins anew.
  void begin() noexcept;

  enum class got : std::uint8_t { row, end, pause };

  /// Stores the next row at `row`, whose content is lost in any case. A pause: no more rows should be read in this turn.
  got read(void* row);

  read_progress progress() const;
  source_position position() const;
  void seek(const source_position& p);

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace spillway::detail
