#pragma once
#include "actors/made.hpp"
#include "actors/sink.hpp"
#include "actors/sinks/csv_line.hpp"
#include "actors/sinks/part_files.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

template <record T>
class csv_parts_writer final : public sink_writer<T> {
 public:
  csv_parts_writer(const std::string& folder, const roll& when, const sink_context& context, std::vector<std::string> columns)
      : files_(folder, ".csv", when, context), columns_(std::move(columns)) {}

  void write(const batch_of<T>& batch) override {
    const auto* rows = batch.data();
    for (std::size_t at = 0; at < batch.size();) {
      const auto begins = files_.begins();
      auto& text = files_.text();
      if (begins) append_csv_header(text, columns_);
      const auto n = files_.room(batch.size() - at);
      for (std::size_t i = 0; i < n; ++i) append_csv_line(text, rows[at++]);
      files_.wrote(n);
    }
  }
  void flush() override { files_.flush(); }
  std::optional<std::chrono::microseconds> flush_again() const override { return files_.ends_in(); }
  commit_token prepare() override { return files_.prepare(); }
  void commit(const commit_token& token) override { files_.commit(token); }

 private:
  part_files files_;
  std::vector<std::string> columns_;
};

}  // namespace detail

/// CSV files in a folder, written by all subtasks at once: `part-<subtask>-<n>.csv`, each with a header and there as a whole or
/// not at all. A subtask without rows writes none. A part ends as `roll` says, at a checkpoint, and at the end of the rows.
///
/// Numbers go on behind the highest in the folder, so a later run adds parts and replaces none: give each run a folder of its own
/// where that is not meant. Without checkpoints a part appears when it ends, and nothing is promised after a crash: rows may be
/// there twice or not at all. Names that end in .part are of files that are being written, or that a killed program left: no
/// source reads them, nobody removes them, and they may be deleted when no job writes to the folder.
struct to_csv_parts {
  static constexpr bool blocking = true;
  static constexpr auto verb = "to_csv_parts";

  std::string folder;
  spillway::roll roll{};

  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context& context) const {
    static_assert(
        !has_list_column<T>,
        "to_csv_parts needs rows of plain columns: a member is a list (use to_jsonl_parts, or flat_map for a row each)");
    if constexpr (!has_list_column<T>)
      return detail::made<sink_writer<T>, detail::csv_parts_writer<T>>(folder, roll, context, detail::header_of<T>(context));
  }
};

}  // namespace spillway
