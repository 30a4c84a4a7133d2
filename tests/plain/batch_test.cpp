#include "messages/batch.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>

using spillway::batch_of;
using spillway::batch_pool;
using spillway::batch_ptr;
using spillway::make_batch;

namespace {

/// A row that counts how many of its kind exist.
struct counted {
  static inline int alive = 0;
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
};

}  // namespace

TEST_CASE("a batch without other holders may be changed") {
  auto b = make_batch<int>(nullptr);
  CHECK(b->sole_holder());
  batch_ptr second = b;
  CHECK_FALSE(b->sole_holder());
  second.reset();
  CHECK(b->sole_holder());
}

TEST_CASE("a reference that is moved or given up and adopted counts once") {
  batch_ptr b = make_batch<int>(nullptr);
  auto moved = std::move(b);
  CHECK_FALSE(b);
  auto adopted = batch_ptr::adopt(moved.detach());
  CHECK_FALSE(moved);
  CHECK(adopted->sole_holder());
}

TEST_CASE("a buffer goes home with its last holder and comes back empty") {
  auto pool = std::make_shared<batch_pool>();
  auto first = make_batch<std::string>(pool);
  first->push("a", spillway::min_time);
  first->hashes.push_back(7);
  const auto* buffer = first.get();
  batch_ptr second = first;

  first.reset();
  CHECK(pool->take() == nullptr);
  second.reset();
  const auto again = make_batch<std::string>(pool);
  CHECK(again.get() == buffer);
  CHECK(again->empty());
  CHECK(again->times.empty());
  CHECK(again->hashes.empty());
  CHECK(again->sole_holder());
}

TEST_CASE("a pool keeps as many idle buffers as it was told to") {
  auto pool = std::make_shared<batch_pool>(1);
  {
    auto a = make_batch<counted>(pool);
    auto b = make_batch<counted>(pool);
    CHECK(counted::alive == 2 * static_cast<int>(batch_of<counted>::capacity));
  }
  CHECK(counted::alive == static_cast<int>(batch_of<counted>::capacity));
  pool.reset();
  CHECK(counted::alive == 0);
}

TEST_CASE("a closed pool frees its idle buffers and those that come home later") {
  auto pool = std::make_shared<batch_pool>();
  auto out = make_batch<counted>(pool);
  make_batch<counted>(pool).reset();
  CHECK(counted::alive == 2 * static_cast<int>(batch_of<counted>::capacity));
  pool->close();
  CHECK(counted::alive == static_cast<int>(batch_of<counted>::capacity));
  out.reset();
  CHECK(counted::alive == 0);
  CHECK(pool->take() == nullptr);
}

TEST_CASE("a batch outlives the producer that let go of its pool") {
  auto pool = std::make_shared<batch_pool>();
  auto out = make_batch<int>(pool);
  out->push(42);
  pool.reset();
  CHECK(out->rows()[0] == 42);
}

TEST_CASE("buffers go home from another thread while their producer fills the next") {
  auto pool = std::make_shared<batch_pool>();
  std::jthread reader;
  for (int i = 0; i < 200; ++i) {
    auto b = make_batch<int>(pool);
    CHECK(b->empty());
    b->push(i);
    reader = std::jthread{[b = batch_ptr{std::move(b)}] { CHECK(b->sole_holder()); }};
  }
}
