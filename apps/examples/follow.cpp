// Counts events for each key, first in a file of old ones, then in one that grows: follow run --history old.csv --live live.csv
#include <spillway.hpp>

#include <string>

namespace sw = spillway;

struct event {
  std::string key;
  std::string what;
};
BOOST_DESCRIBE_STRUCT(event, (), (key, what))

int main(int argc, char** argv) {
  return sw::app("follow", argc, argv, [](sw::pipeline& p, const sw::params& args) {
    const auto history = p.read("history", sw::csv<event>{.path = args["history"]});
    const auto live = p.read("live", sw::csv_tail<event>{.path = args["live"]});
    history.then("events", live).key_by(&event::key).running("so far", sw::count()).write("out", sw::to_stdout{.as = sw::lines});
  });
}
