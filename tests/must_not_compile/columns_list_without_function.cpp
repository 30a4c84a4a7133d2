// expect: columns needs a function of the text for a member that is no scalar
#include "rows.hpp"

struct basket {
  std::vector<std::string> items;
};
BOOST_DESCRIBE_STRUCT(basket, (), (items))

void job(sw::pipeline& p) {
  p.read(sw::csv<basket>{.path = "baskets.csv", .columns = {{"items", &basket::items}}}).write(nowhere());
}
