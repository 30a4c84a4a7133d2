// Reads bytes as JSON lines: as one piece, and cut and read in a way that the first two bytes say. Rows and the places of bad
// rows must be the same, and what is written of the rows must be read back equal.
#include "actors/sinks/json_line.hpp"
#include "actors/sources/jsonl.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

using namespace spillway;

namespace {

enum class colour : std::uint8_t { red, green };
BOOST_DESCRIBE_ENUM(colour, red, green)

struct part {
  std::string name;
  std::optional<double> weight;
  std::vector<std::string> tags;
  bool operator==(const part&) const = default;
};
BOOST_DESCRIBE_STRUCT(part, (), (name, weight, tags))

struct order {
  std::optional<std::int64_t> id;
  std::optional<bool> paid;
  std::optional<colour> light;
  std::optional<timestamp> placed;
  std::optional<std::vector<part>> parts;
  std::optional<std::tuple<std::int8_t, float>> size;
  std::optional<part> main;
  bool operator==(const order&) const = default;
};
BOOST_DESCRIBE_STRUCT(order, (), (id, paid, light, placed, parts, size, main))

/// A file in memory.
class memory_file {
 public:
  explicit memory_file(std::string_view text) : file_(memfd_create("json", 0)), path_("/proc/self/fd/" + std::to_string(file_)) {
    if (file_ < 0 || write(file_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { close(file_); }
  const std::string& path() const { return path_; }

 private:
  int file_;
  std::string path_;
};

struct outcome final : bad_row_port {
  void refuse(bad_row bad, std::string_view) override { places.push_back(bad.place); }

  std::vector<order> rows;
  std::vector<std::string> places;
};

void read_all(outcome& to, std::string_view text, std::size_t chunk, std::size_t piece) {
  const memory_file file{text};
  const jsonl<order> source{.path = file.path(), .max_record = 2000, .chunk = chunk, .split_bytes = piece};
  source_context context;
  context.bad = &to;
  const auto splits = source.splits(context);
  for (auto s = splits->next(); s; s = splits->next()) {
    const auto reader = source.open(*s, context);
    for (auto more = true; more;) {
      batch_of<order> batch;
      more = reader->read(batch).state != read_result::kind::end;
      to.rows.insert(to.rows.end(), batch.rows().begin(), batch.rows().end());
    }
  }
}

void same_places(std::vector<std::string> a, std::vector<std::string> b) {
  // The name of the file is another, and of one length only by chance.
  const auto shorten = [](std::vector<std::string>& all) {
    for (auto& p : all) p.erase(0, p.find(':'));
  };
  shorten(a);
  shorten(b);
  if (a != b) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text{reinterpret_cast<const char*>(data) + 2, size - 2};
  outcome whole, cut, again;
  read_all(whole, text, 1 << 16, 1 << 20);
  read_all(cut, text, data[0] + 1u, data[1] * 8u + 1);
  if (whole.rows != cut.rows) std::abort();
  same_places(whole.places, cut.places);

  detail::json_rows lines{{.step = "fuzz"}, detail::json_field_names<order>()};
  std::string written;
  lines.append_to(written);
  batch_of<order> batch;
  for (const auto& row : whole.rows) {
    batch.set_size(0, 0);
    batch.push(row);
    detail::append_json_rows(lines, batch, 0, 1);
  }
  for (std::size_t at = 0, end; at < written.size(); at = end) {
    end = written.find('\n', at) + 1;
    // Escapes and dates may make it longer than a record may be.
    if (end - at > 2000) return 0;
  }
  read_all(again, written, 1 << 16, 1 << 20);
  if (again.rows != whole.rows || !again.places.empty()) std::abort();
  return 0;
}
