#pragma once
#include "actors/made.hpp"
#include "actors/sink.hpp"
#include "actors/sinks/csv_line.hpp"
#include "actors/sinks/output_file.hpp"

#include <memory>
#include <string>
#include <utility>

namespace spillway {
namespace detail {

template <record T>
class csv_writer final : public sink_writer<T> {
 public:
  csv_writer(std::string path, const std::vector<std::string>& columns) : file_(std::move(path)) {
    append_csv_header(file_.buffer(), columns);
  }

  void write(const batch_of<T>& batch) override {
    append_csv_lines(file_.buffer(), batch);
    file_.write_large();
  }
  void flush() override { file_.write(); }
  void close() override { file_.close(); }

 private:
  output_file file_;
};

}  // namespace detail

/// One CSV file with a header, written by one writer: cells in quotes only where needed, null as nothing, an empty string as "".
/// It is there as a whole or not at all: until the end its name has ".part" added. Folders on the way are made. Pipes and
/// devices, such as /dev/stdout, are written straight into.
struct to_csv {
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;
  static constexpr auto verb = "to_csv";

  std::string path;

  std::string file() const { return path; }

  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context& context) const {
    static_assert(!has_list_column<T>,
                  "to_csv needs rows of plain columns: a member is a list (use flat_map to give a row for each element)");
    if constexpr (!has_list_column<T>)
      return detail::made<sink_writer<T>, detail::csv_writer<T>>(path, detail::header_of<T>(context));
  }
};

}  // namespace spillway
