// Reads bytes as a CSV file in pieces of various sizes, and compares all with one reader of the whole: rows, and which are bad.
// The first three bytes say how it is cut, the rest is the file. `fuzz/corpus/csv` has some to begin with.
#include "actors/sources/csv.hpp"
#include "messages/errors.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

using namespace spillway;

namespace {

struct line {
  std::string a;
  std::optional<std::string> b;
  std::optional<std::int32_t> n;
  std::optional<double> x;
  std::optional<timestamp> at;
};
BOOST_DESCRIBE_STRUCT(line, (), (a, b, n, x, at))

class bad_places final : public bad_row_port {
 public:
  void refuse(bad_row row, std::string_view) override { text += row.place + ' ' + row.reason + '\n'; }
  std::string text;
};

/// All rows, then all bad ones, each in order; none if the file cannot be read to its end.
std::optional<std::string> told(const csv<line>& source) {
  static batch_of<line> batch;
  std::string rows;
  bad_places bad;
  source_context context;
  context.bad = &bad;
  try {
    const auto list = source.splits(context);
    while (const auto s = list->next()) {
      const auto reader = source.open(*s, context);
      for (auto more = true; more;) {
        batch.set_size(0, 0);
        more = reader->read(batch).state != read_result::kind::end;
        for (const auto& r : batch.rows()) append_text(rows, r);
      }
    }
  } catch (const data_error&) {
    return std::nullopt;
  }
  return rows + bad.text;
}

/// A file in memory.
class memory_file {
 public:
  memory_file() : file_(memfd_create("csv", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(file_)) {}

  const std::string& write(const std::string& text) {
    if (ftruncate(file_, 0) != 0 || pwrite(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) std::abort();
    return path_;
  }

 private:
  int file_;
  std::string path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  static memory_file file;
  const std::string text = "a,b,n,x,at\n" + std::string{reinterpret_cast<const char*>(data) + 3, size - 3};
  const auto& path = file.write(text);
  const std::size_t max_record = data[0] % 4 == 0 ? 1 + data[0] : 4096;
  const csv<line> whole{.path = path, .max_record = max_record, .chunk = 4096};
  const csv<line> pieces{
      .path = path, .max_record = max_record, .chunk = std::size_t{1} + data[1], .split_bytes = std::size_t{16} + data[2]};
  if (told(whole) != told(pieces)) std::abort();
  return 0;
}
