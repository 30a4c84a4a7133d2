// expect: read() takes a source: this one has no open(const sw::source_context&) const that gives a std::unique_ptr<sw::source_reader<row>>
#include "rows.hpp"

struct from_socket {
  using row = flight;
  static constexpr auto bounds = sw::unbounded;
  int port;
};

void job(sw::pipeline& p) {
  p.read(from_socket{7000}).write(nowhere());
}
