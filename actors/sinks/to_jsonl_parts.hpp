#pragma once
#include "actors/made.hpp"
#include "actors/sink.hpp"
#include "actors/sinks/json_line.hpp"
#include "actors/sinks/part_files.hpp"

#include <memory>
#include <string>

namespace spillway {
namespace detail {

template <record T>
class jsonl_parts_writer final : public sink_writer<T> {
 public:
  jsonl_parts_writer(const std::string& folder, const roll& when, const sink_context& context)
      : files_(folder, ".jsonl", when, context), rows_(context, json_field_names<T>()) {}

  void write(const batch_of<T>& batch) override {
    for (std::size_t at = 0; at < batch.size();) {
      rows_.append_to(files_.text());
      const auto n = files_.room(batch.size() - at);
      append_json_rows(rows_, batch, at, at + n);
      at += n;
      files_.wrote(n);
    }
  }
  void flush() override { files_.flush(); }
  std::optional<std::chrono::microseconds> flush_again() const override { return files_.ends_in(); }
  commit_token prepare() override { return files_.prepare(); }
  void commit(const commit_token& token) override { files_.commit(token); }

 private:
  part_files files_;
  json_rows rows_;
};

}  // namespace detail

/// Files of JSON lines in a folder, `part-<subtask>-<n>.jsonl`: rows as `to_jsonl` writes them, parts as `to_csv_parts` does.
struct to_jsonl_parts {
  static constexpr bool blocking = true;
  static constexpr auto verb = "to_jsonl_parts";

  std::string folder;
  spillway::roll roll{};

  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context& context) const {
    return detail::made<sink_writer<T>, detail::jsonl_parts_writer<T>>(folder, roll, context);
  }
};

}  // namespace spillway
