#include "messages/columns.hpp"
#include "messages/errors.hpp"
#include "messages/nearest.hpp"

#include <doctest/doctest.h>

using names = std::vector<std::string>;
using spillway::column_names;
using spillway::has_list_column;
using spillway::keyed;
using spillway::nearest;

namespace {

struct place {
  std::string city;
  std::optional<std::string> state;
};
BOOST_DESCRIBE_STRUCT(place, (), (city, state))

struct visit {
  std::int64_t id = 0;
  place where;
  double cost = 0;
};
BOOST_DESCRIBE_STRUCT(visit, (), (id, where, cost))

struct basket {
  int id = 0;
  std::vector<std::string> items;
};
BOOST_DESCRIBE_STRUCT(basket, (), (id, items))

template <class T>
names cells_of(const T& row) {
  names texts;
  spillway::for_each_cell(row, [&](const auto& cell) { texts.push_back(spillway::text_of(cell)); });
  return texts;
}

}  // namespace

TEST_CASE("columns are the described members, nested ones in their place") {
  CHECK(column_names<int>() == names{"value"});
  CHECK(column_names<std::optional<std::string>>() == names{"value"});
  CHECK(column_names<visit>() == names{"id", "city", "state", "cost"});
  CHECK(column_names<std::pair<int, place>>() == names{"value1", "city", "state"});
  CHECK(cells_of(visit{1, {"Rome", {}}, 2.5}) == names{"1", "Rome", "", "2.5"});
  CHECK(cells_of(std::pair{1, place{"Rome", "IT"}}) == names{"1", "Rome", "IT"});
}

TEST_CASE("keyed rows have the key's columns, then the value's") {
  CHECK(column_names<keyed<std::string, visit>>() == names{"key", "id", "city", "state", "cost"});
  CHECK(column_names<keyed<spillway::no_key, int>>() == names{"value"});
  CHECK(column_names<keyed<std::tuple<int, std::string>, double>>() == names{"key1", "key2", "value"});
  CHECK(column_names<keyed<place, int>>() == names{"city", "state", "value"});
  CHECK(spillway::column_origins<keyed<std::tuple<int, int>, place>>() == names{"key.1", "key.2", "value.city", "value.state"});
  CHECK(cells_of(keyed<std::tuple<int, int>, int>{{1, 2}, 3}) == names{"1", "2", "3"});
}

TEST_CASE("a list is no column") {
  CHECK(has_list_column<basket>);
  CHECK(has_list_column<keyed<int, basket>>);
  CHECK(has_list_column<std::pair<int, std::vector<int>>>);
  CHECK(has_list_column<std::optional<place>>);
  CHECK_FALSE(has_list_column<visit>);
  CHECK_FALSE(has_list_column<keyed<spillway::no_key, visit>>);
}

TEST_CASE("two columns of one name are an error that says where both come from") {
  const names columns{"origin", "flights", "origin"};
  const auto text = [&](const names& origins) -> std::string {
    try {
      spillway::check_columns("by origin", columns, origins);
    } catch (const spillway::pipeline_error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(text({"key", "value.flights", "value.origin"}) ==
        "step 'by origin' gives two columns named 'origin': column 1 (key) and column 3 (value.origin)\n"
        "  help: rename one, a key's with sw::key(\"name\", f)");
  CHECK(text({}).find("column 1 and column 3") != std::string::npos);
  CHECK_NOTHROW(spillway::check_columns("x", names{"a", "b"}));
}

TEST_CASE("the nearest name is the one with the fewest letters changed") {
  const names columns{"date", "delay", "distance", "origin"};
  CHECK(nearest("dealy", columns) == "delay");
  CHECK(nearest("Date", columns) == "date");
  CHECK(nearest("distnce", columns) == "distance");
  CHECK(nearest("flihgts.csv", names{"flights.hpp", "flights.csv"}) == "flights.csv");
  CHECK(nearest("carrier", columns) == std::nullopt);
  CHECK(nearest("x", names{"y"}) == std::nullopt);
  CHECK(nearest("x", {}) == std::nullopt);
}
