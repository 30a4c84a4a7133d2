// Reads a file of JSON lines and prints its rows as JSON lines; then the places of bad rows, each behind a `!`.
#include "spillway/actors/sinks/json_line.hpp"
#include "spillway/actors/sources/jsonl.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace sw = spillway;

namespace {

struct part {
  std::optional<double> a;
  std::string b;
};
BOOST_DESCRIBE_STRUCT(part, (), (a, b))

struct row {
  std::int64_t id = 0;
  std::string text;
  std::optional<std::string> maybe;
  double number = 0;
  std::int8_t small = 0;
  std::uint64_t positive = 0;
  bool flag = false;
  std::vector<std::optional<std::int64_t>> list;
  std::optional<part> sub;
};
BOOST_DESCRIBE_STRUCT(row, (), (id, text, maybe, number, small, positive, flag, list, sub))

struct places final : sw::bad_row_port {
  void refuse(sw::bad_row bad, std::string_view) override { text += '!' + bad.place + '\n'; }
  std::string text;
};

void print(const char* path, std::size_t chunk, std::size_t piece) {
  const sw::jsonl<row> source{.path = path, .chunk = chunk, .split_bytes = piece};
  places bad;
  sw::source_context context;
  context.bad = &bad;
  sw::detail::json_rows lines{{.step = "rows"}, sw::detail::json_field_names<row>()};
  std::string text;
  lines.append_to(text);
  const auto splits = source.splits(context);
  for (auto s = splits->next(); s; s = splits->next()) {
    const auto reader = source.open(*s, context);
    for (auto more = true; more;) {
      sw::batch_of<row> batch;
      more = reader->read(batch).state != sw::read_result::kind::end;
      sw::detail::append_json_rows(lines, batch, 0, batch.size());
    }
  }
  text += bad.text;
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("json_rows FILE CHUNK PIECE\n", stderr), 2;
  try {
    print(argv[1], std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
  } catch (const std::exception& e) {
    return std::fprintf(stderr, "%s\n", e.what()), 1;
  }
}
