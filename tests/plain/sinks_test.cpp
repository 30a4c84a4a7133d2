#include "actors/sinks/to_callback.hpp"
#include "actors/sinks/to_vector.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace spillway;

namespace {

template <class T>
void write_rows(sink_writer<T>& writer, const std::vector<T>& rows) {
  batch_of<T> batch;
  for (const auto& row : rows) batch.push(row);
  writer.write(batch);
}

}  // namespace

TEST_CASE("to_vector appends, also to a vector that the caller owns") {
  auto rows = std::make_shared<std::vector<int>>();
  to_vector sink{rows};
  auto writer = sink.open<int>({});
  write_rows<int>(*writer, {1, 2});
  write_rows<int>(*writer, {3});
  CHECK(*rows == std::vector{1, 2, 3});

  std::vector<std::string> own{"a"};
  write_rows<std::string>(*to_vector(own).open<std::string>({}), {"b"});
  CHECK(own == std::vector<std::string>{"a", "b"});
}

TEST_CASE("several writers share one vector") {
  std::vector<int> rows;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([writer = to_vector{rows}.open<int>({})] {
      for (int i = 0; i < 100; ++i) write_rows<int>(*writer, {i, i});
    });
  for (auto& t : threads) t.join();
  CHECK(rows.size() == 800);
}

TEST_CASE("to_callback calls for each row or for each batch") {
  std::vector<int> seen;
  auto by_row = to_callback{[&](const auto& row) { seen.push_back(row); }}.open<int>({});
  write_rows<int>(*by_row, {1, 2});
  auto by_batch = to_callback{[&](std::span<const int> rows) { seen.push_back(static_cast<int>(rows.size())); }}.open<int>({});
  write_rows<int>(*by_batch, {7, 8, 9});
  CHECK(seen == std::vector{1, 2, 3});
}
