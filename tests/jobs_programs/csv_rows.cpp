// Reads CSV files with the columns a, b and c, and prints what each holds: csv_rows SPLIT_BYTES FILE...
//
// A line a file, of JSON: {"rows": [["61", "", "62"]]}, the cells' bytes as hexadecimal digits, rows in any order; or
// {"error": "..."}.
#include <spillway.hpp>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace sw = spillway;

struct line {
  std::string a, b, c;
};
BOOST_DESCRIBE_STRUCT(line, (), (a, b, c))

std::string hexadecimal(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const unsigned char c : text) {
    hex += digits[c / 16];
    hex += digits[c % 16];
  }
  return hex;
}

std::vector<line> rows_of(const std::string& file, std::size_t split_bytes) {
  std::vector<line> rows;
  sw::pipeline p;
  p.read(sw::csv<line>{.path = file, .split_bytes = split_bytes}).write(sw::to_vector{rows});
  sw::options how;
  how.parallelism = 2;
  how.threads = 2;
  sw::run(p, how);
  return rows;
}

std::string as_json(const std::vector<line>& rows) {
  std::string json;
  for (const auto& r : rows) {
    json += json.empty() ? "[\"" : ", [\"";
    json += hexadecimal(r.a) + "\", \"" + hexadecimal(r.b) + "\", \"" + hexadecimal(r.c) + "\"]";
  }
  return "{\"rows\": [" + json + "]}";
}

int main(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    try {
      std::cout << as_json(rows_of(argv[i], std::stoul(argv[1]))) << '\n';
    } catch (const std::exception& e) {
      std::cout << "{\"error\": \"" << hexadecimal(e.what()) << "\"}\n";
    }
  }
}
