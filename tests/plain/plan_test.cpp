#include "scheduler/plan.hpp"
#include "actors/pipeline.hpp"
#include "messages/errors.hpp"

#include <doctest/doctest.h>

using namespace spillway;

namespace {

constexpr auto same = [](std::int64_t x) { return x; };
constexpr auto some = [](std::int64_t x) { return x > 0; };
constexpr auto numbers = [](std::uint64_t i) { return static_cast<std::int64_t>(i); };

struct nowhere {
  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context&) const {
    return nullptr;
  }
};
struct slow_sink : nowhere {
  static constexpr bool blocking = true;
  static constexpr auto verb = "to_slow";
};
struct lone_sink : nowhere {
  static constexpr std::uint32_t max_parallelism = 1;
  static constexpr auto verb = "to_lone";
};
struct slow_source {
  using row = std::int64_t;
  static constexpr auto bounds = unbounded;
  static constexpr bool blocking = true;
  static constexpr auto verb = "slow";
  std::unique_ptr<source_reader<row>> open(const source_context&) const { return nullptr; }
};

std::string explained(const pipeline& p, const plan_options& how = {2, 0}) { return explain(plan_of(p.graph(), how)); }

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const pipeline_error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("steps joined forward at equal parallelism become one task, the others do not") {
  pipeline p;
  p.read("a", generate(9, numbers))
      .map("b", same)
      .filter("c", some)
      .rebalance()
      .map("d", same)
      .map("e", same)
      .parallelism(3)
      .broadcast()
      .map("f", same)
      .parallelism(3)
      .write("g", nowhere{});
  CHECK(explained(p) == R"(7 steps in 5 tasks; exchange: pipelined; key groups: 128
  task 1, parallelism 2
    a: generate (bounded)
    b: map
    c: filter
  task 2, parallelism 2
    <- task 1, pipelined, rebalance (2 to 2)
    d: map
  task 3, parallelism 3
    <- task 2, pipelined, rebalance (2 to 3)
    e: map
  task 4, parallelism 3
    <- task 3, pipelined, broadcast (3 to 3)
    f: map
  task 5, parallelism 2
    <- task 4, pipelined, rebalance (3 to 2)
    g: write
)");
}

TEST_CASE("a stream used twice is read once, and neither of its uses is chained to it") {
  pipeline p;
  auto a = p.read("a", generate(9, numbers));
  a.map("b", same).write("c", nowhere{});
  a.filter("d", some).write("e", nowhere{});
  CHECK(explained(p) == R"(5 steps in 3 tasks; exchange: pipelined; key groups: 128
  task 1, parallelism 2
    a: generate (bounded)
  task 2, parallelism 2
    <- task 1, pipelined, forward (2 to 2)
    b: map
    c: write
  task 3, parallelism 2
    <- task 1, pipelined, forward (2 to 2)
    d: filter
    e: write
)");
}

TEST_CASE("keyed steps head a task, and a union has an edge for each input") {
  pipeline p;
  auto a = p.read("a", generate(9, numbers));
  auto b = p.read("b", from(std::vector<std::int64_t>{1}));
  a.union_with("both", b)
      .key_by(key("digit", [](std::int64_t x) { return x % 10; }))
      .running("sum", count())
      .write("out", nowhere{});
  CHECK(explained(p) == R"(5 steps in 4 tasks; exchange: pipelined; key groups: 128
  task 1, parallelism 2
    a: generate (bounded)
  task 2, parallelism 1
    b: from_vector (bounded)
  task 3, parallelism 2
    <- task 1, pipelined, forward (2 to 2)
    <- task 2, pipelined, rebalance (1 to 2)
    both: union_with
  task 4, parallelism 2
    <- task 3, pipelined, by key digit (2 to 2)
    sum: running by digit
    out: write
)");
}

TEST_CASE("what may block has a thread of its own: a source's reader, a sink with all of its task") {
  pipeline p;
  p.read("in", slow_source{}).map("m", same).write("out", slow_sink{});
  CHECK(explained(p, {1, 0}) == R"(3 steps in 2 tasks; exchange: pipelined; key groups: 128
  task 1, parallelism 1
    in: slow (unbounded), reader on a thread of its own
    m: map
  task 2, parallelism 1
    <- task 1, pipelined, forward (1 to 1)
    out: to_slow, on a thread of its own
)");
}

TEST_CASE("a step that cannot run at the job's parallelism runs at its own greatest") {
  pipeline p;
  p.read("in", generate(9, numbers)).write("out", lone_sink{});
  CHECK(explained(p, {4, 0}) == R"(2 steps in 2 tasks; exchange: pipelined; key groups: 128
  task 1, parallelism 4
    in: generate (bounded)
  task 2, parallelism 1
    <- task 1, pipelined, rebalance (4 to 1)
    out: to_lone
)");
}

TEST_CASE("unnamed steps are called by their verb and inputs, and explain says so") {
  pipeline p;
  auto a = p.read(generate(9, numbers));
  a.map(same).write(nowhere{});
  a.map(same).write(nowhere{});
  p.read(generate(9, numbers)).key_by(key("x", same)).running(count()).write(nowhere{});
  CHECK(explained(p, {1, 0}) == R"(8 steps in 5 tasks; exchange: pipelined; key groups: 128
  task 1, parallelism 1
    generate: generate (bounded), derived name
  task 2, parallelism 1
    <- task 1, pipelined, forward (1 to 1)
    map(generate): map, derived name
    write(map(generate)): write, derived name
  task 3, parallelism 1
    <- task 1, pipelined, forward (1 to 1)
    map(generate) #2: map, derived name
    write(map(generate) #2): write, derived name
  task 4, parallelism 1
    generate #2: generate (bounded), derived name
  task 5, parallelism 1
    <- task 4, pipelined, by key x (1 to 1)
    running(generate #2): running by x, derived name
    write(running(generate #2)): write, derived name
)");
}

TEST_CASE("two unnamed steps with state that would be called alike are refused") {
  pipeline p;
  auto a = p.read("a", generate(9, numbers)).key_by(key("x", same));
  a.running(count());
  CHECK(error_of([&] { a.running(count()); }) ==
        "there are two steps running(a) without a name\n  help: name them: .running(\"name\", ...)");
}

TEST_CASE("a graph that cannot run is refused, and the text says what to do") {
  pipeline empty;
  CHECK(error_of([&] { explained(empty); }) == "the pipeline has no steps\n  help: begin with p.read(...)");

  pipeline unused;
  unused.read("a", generate(9, numbers)).map("b", same);
  CHECK(error_of([&] { explained(unused); }) == "nothing uses the rows of step 'b'\n  help: end it with .write(...)");

  pipeline alike;
  alike.read("a", generate(9, numbers)).map("a", same).write(nowhere{});
  CHECK(error_of([&] { explained(alike); }) ==
        "two steps are named 'a' (generate and map): a step's name is its identity\n"
        "  help: give one of them another name as the verb's first argument");

  pipeline p;
  auto a = p.read("a", generate(9, numbers));
  a.write("b", nowhere{});
  CHECK(error_of([&] { explained(p, {0, 0}); }) == "the parallelism is 0: it must be at least 1");
  CHECK(error_of([&] { explained(p, {2, 100}); }) == "pipeline.max-parallelism is 100: it must be a power of two, such as 128");
  CHECK(error_of([&] {
          explained(p, {5, 4});
        }) ==
        "pipeline.max-parallelism is 4, but a step has parallelism 5\n"
        "  help: raise pipeline.max-parallelism or lower the parallelism");
  CHECK(error_of([&] { a.parallelism(0); }) == "step 'a': its parallelism is 0, but it must be at least 1");

  pipeline lone;
  lone.read("a", from(std::vector<std::int64_t>{1})).parallelism(2).write("b", nowhere{});
  CHECK(error_of([&] { explained(lone); }) == "step 'a' cannot have parallelism 2: its from_vector runs at 1 at most");

  pipeline other;
  auto b = other.read("b", generate(9, numbers));
  CHECK(error_of([&] { a.union_with("u", b); }) == ".union_with() joins streams of two pipelines: they must be of one");
}

TEST_CASE("key groups follow the largest parallelism unless they are set") {
  pipeline p;
  p.read("a", generate(9, numbers)).parallelism(40).write("b", nowhere{});
  CHECK(plan_of(p.graph(), {1, 0}).key_groups == 512);
  CHECK(plan_of(p.graph(), {1, 64}).key_groups == 64);
}

TEST_CASE("a task is found by its steps and called by them") {
  pipeline p;
  p.read("a", generate(9, numbers)).map("b", same).rebalance().write("c", nowhere{});
  const auto plan = plan_of(p.graph(), {1, 0});
  CHECK(plan.vertex_of(step_id{1}) == vertex_id{0});
  CHECK(plan.vertex_of(step_id{2}) == vertex_id{1});
  CHECK(plan.name_of(vertex_id{0}) == "a -> b");
}
