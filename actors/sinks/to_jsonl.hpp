#pragma once
#include "actors/made.hpp"
#include "actors/sink.hpp"
#include "actors/sinks/json_line.hpp"
#include "actors/sinks/output_file.hpp"

#include <memory>
#include <string>
#include <utility>

namespace spillway {
namespace detail {

template <record T>
class jsonl_writer final : public sink_writer<T> {
 public:
  jsonl_writer(std::string path, const sink_context& context) : file_(std::move(path)), rows_(context, json_field_names<T>()) {
    rows_.append_to(file_.buffer());
  }

  void write(const batch_of<T>& batch) override {
    append_json_rows(rows_, batch, 0, batch.size());
    file_.write_large();
  }
  void flush() override { file_.write(); }
  void close() override { file_.close(); }

 private:
  output_file file_;
  json_rows rows_;
};

}  // namespace detail

/// One file of JSON lines, written by one writer: an object for each row, with the names of its columns. Structs in a row are
/// objects, lists and tuples are lists, null is null. Numbers have the shortest form that reads back equal, times are ISO 8601
/// texts in UTC, durations counts of their unit, described enums their names. A number that is infinite or NaN, and a text that
/// is not UTF-8, are errors, as JSON has neither.
///
/// It is there as a whole or not at all: until the end its name has ".part" added. Folders on the way are made.
struct to_jsonl {
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;
  static constexpr auto verb = "to_jsonl";

  std::string path;

  std::string file() const { return path; }

  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context& context) const {
    return detail::made<sink_writer<T>, detail::jsonl_writer<T>>(path, context);
  }
};

}  // namespace spillway
