// Who holds how many of the address blocks in the registry's own files: registry run --files '/usr/share/ieee-data/*.csv'
#include <spillway.hpp>

namespace sw = spillway;

struct block {
  std::string registry, assignment, organization, address;
};
BOOST_DESCRIBE_STRUCT(block, (), (registry, assignment, organization, address))

int main(int argc, char** argv) {
  return sw::app("registry", argc, argv, [](sw::pipeline& p, const sw::params& args) {
    const sw::columns<block> as{{"Registry", &block::registry},
                                {"Assignment", &block::assignment},
                                {"Organization Name", &block::organization},
                                {"Organization Address", &block::address}};
    p.read("blocks", sw::csv<block>{.path = args["files"], .columns = as})
        .key_by(&block::registry, &block::organization)
        .aggregate("held", sw::count())
        .write(sw::to_csv{args["out"]});
  });
}
