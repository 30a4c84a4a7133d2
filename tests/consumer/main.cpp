// Reads measures from a file and prints the highest one of each place.
#include <spillway.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace sw = spillway;

struct measure {
  std::string place;
  int value = 0;
};
BOOST_DESCRIBE_STRUCT(measure, (), (place, value))

struct highest {
  int value = std::numeric_limits<int>::min();
  void add(const measure& m) { value = std::max(value, m.value); }
  void merge(const highest& o) { value = std::max(value, o.value); }
};
BOOST_DESCRIBE_STRUCT(highest, (), (value))

int main(int argc, char** argv) {
  return sw::app("consumer", argc, argv, [](sw::pipeline& p, const sw::params& args) {
    auto file = args.get("measures", "measures.csv", "CSV file with the columns place and value");
    p.read("measures", sw::csv<measure>{.path = file})
        .key_by(&measure::place)
        .aggregate("highest", highest{})
        .write(sw::to_stdout{});
  });
}
