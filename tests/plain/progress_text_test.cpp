#include "actors/app/progress_text.hpp"

#include "actors/app/progress_screen.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using namespace spillway;
using lines = std::vector<std::string>;

template <>
struct doctest::StringMaker<lines> {
  static String convert(const lines& all) {
    std::string text;
    for (const auto& line : all) text += "\n" + line;
    return text.c_str();
  }
};

namespace {

/// flights -> years by one subtask, then by_origin by two, then the sink `out`.
struct flights_job {
  explicit flights_job(bool unbounded = false) {
    plan.graph.steps.resize(4);
    const char* names[] = {"flights", "years", "by_origin", "out"};
    for (std::size_t i = 0; i < 4; ++i) plan.graph.steps[i].name = names[i];
    plan.graph.steps[0].unbounded = unbounded;
    plan.graph.steps[3].kind = step_kind::sink;
    plan.vertices = {
        {{0}, {{0}, {1}}, 1, false, {}, {{0}}}, {{1}, {{2}}, 2, false, {{0}}, {{1}}}, {{2}, {{3}}, 1, false, {{1}}, {}}};
    plan.edges = {{{0}, {0}, {1}, route::by_key, 0, "", nullptr}, {{1}, {1}, {2}, route::rebalance, 0, "", nullptr}};
    add(0, 0, {"flights", "years"});
    add(1, 0, {"by_origin"});
    add(1, 1, {"by_origin"});
    add(2, 0, {"out"});
    text.emplace(plan);
  }

  void add(std::uint32_t vertex, std::uint32_t subtask, const lines& steps) {
    task_view t;
    t.id = {{vertex}, subtask};
    for (const auto& s : steps) t.steps.push_back({s});
    job.tasks.push_back(t);
  }

  void rows(std::size_t task, std::uint64_t in, std::uint64_t out) {
    job.tasks[task].steps.front().rows_in = in;
    job.tasks[task].steps.back().rows_out = out;
  }

  void read(std::uint64_t done, std::optional<std::uint64_t> total) {
    job.tasks[0].read_done = done;
    job.tasks[0].read_total = total;
  }

  void finish(std::size_t task) { job.tasks[task].finished = true; }

  lines after(std::chrono::milliseconds elapsed) {
    text->update(job, elapsed);
    return text->lines();
  }

  lines changes_after(std::chrono::milliseconds elapsed) {
    text->update(job, elapsed);
    return text->changes();
  }

  execution_plan plan;
  job_view job;
  std::optional<progress_text> text;
};

}  // namespace

TEST_CASE("numbers have separators") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(999) == "999");
  CHECK(number_text(1000) == "1,000");
  CHECK(number_text(231083) == "231,083");
  CHECK(number_text(18446744073709551615U) == "18,446,744,073,709,551,615");
}

TEST_CASE("times are as exact as their length makes useful") {
  CHECK(time_text(0ms) == "0 ms");
  CHECK(time_text(99ms) == "99 ms");
  CHECK(time_text(449ms) == "0.4 s");
  CHECK(time_text(59'999ms) == "59.9 s");
  CHECK(time_text(200s) == "3 min 20 s");
  CHECK(time_text(125min) == "2 h 5 min");
}

TEST_CASE_FIXTURE(flights_job, "a task waits until it has a row") {
  CHECK(after(500ms) == lines{" Waiting  flights -> years", " Waiting  by_origin", " Waiting  out"});
}

TEST_CASE_FIXTURE(flights_job, "a source that knows its total shows how far it is and how long it will take") {
  read(0, 1000);
  (void)after(500ms);
  read(610, 1000);
  rows(0, 1410, 141000);
  rows(1, 70000, 0);
  rows(2, 60000, 1);
  CHECK(after(10'500ms) == lines{
                               " Running  flights -> years    61 %  ~7 s left  1,410 rows in  141,000 out",
                               " Running  by_origin         130,000 rows in  1 out",
                               " Waiting  out",
                           });
}

TEST_CASE_FIXTURE(flights_job, "no time left is guessed in the first second") {
  read(1, 1000);
  rows(0, 1, 1);
  CHECK(after(500ms).front() == " Running  flights -> years     0 %  1 row in  1 out");
}

TEST_CASE_FIXTURE(flights_job, "the percentage never goes back, and is 100 only at the end") {
  read(610, 1000);
  rows(0, 1, 1);
  CHECK(after(500ms).front() == " Running  flights -> years    61 %  1 row in  1 out");
  read(610, 2000);
  CHECK(after(900ms).front() == " Running  flights -> years    61 %  1 row in  1 out");
  read(2000, 2000);
  CHECK(after(950ms).front() == " Running  flights -> years    99 %  1 row in  1 out");
}

TEST_CASE_FIXTURE(flights_job, "a source that does not know its total shows its rows only") {
  read(610, std::nullopt);
  rows(0, 610, 610);
  CHECK(after(5s).front() == " Running  flights -> years  610 rows in  610 out");
}

TEST_CASE_FIXTURE(flights_job, "the share of a source counts subtasks that ended as read to the end") {
  plan.vertices[0].parallelism = 2;
  text.emplace(plan);
  add(0, 1, {"flights", "years"});
  read(0, 1000);
  rows(0, 5, 5);
  job.tasks.back().finished = true;
  job.tasks.back().read_done = 1000;
  CHECK(after(500ms).front() == " Running  flights -> years    50 %  5 rows in  5 out");
}

TEST_CASE_FIXTURE(flights_job, "a finished task shows its rows and its time, and a sink what it wrote") {
  (void)after(100ms);
  rows(0, 231083, 231083);
  (void)after(500ms);
  finish(0);
  finish(1);
  rows(3, 212, 0);
  finish(3);
  CHECK(after(900ms) == lines{
                            "Finished  flights -> years  231,083 rows in  231,083 out  0.8 s",
                            " Waiting  by_origin",
                            "Finished  out               212 rows written  0.4 s",
                        });
  CHECK(after(5s).front() == "Finished  flights -> years  231,083 rows in  231,083 out  0.8 s");
}

TEST_CASE_FIXTURE(flights_job, "a sink at the end of a chain shows what came in and what it wrote") {
  plan.vertices.resize(1);
  plan.edges.clear();
  plan.vertices[0].steps = {{0}, {1}, {3}};
  plan.vertices[0].outputs.clear();
  text.emplace(plan);
  job.tasks.resize(1);
  job.tasks[0].steps = {{"flights", 500, 500, 0}, {"years", 500, 40, 0}, {"out", 40, 0, 0}};
  finish(0);
  CHECK(after(400ms) == lines{"Finished  flights -> years -> out  500 rows in  40 rows written  0.4 s"});
}

TEST_CASE_FIXTURE(flights_job, "tasks that a cancelled job leaves behind are stopped") {
  rows(0, 5, 5);
  job.phase = job_phase::cancelled;
  CHECK(after(400ms) == lines{
                            " Stopped  flights -> years  5 rows in  5 out  0.4 s",
                            " Stopped  by_origin         0 rows in  0 out  0 ms",
                            " Stopped  out               0 rows written  0 ms",
                        });
}

TEST_CASE_FIXTURE(flights_job, "only what changed is told, once") {
  CHECK(changes_after(100ms) == lines{});
  rows(0, 5, 5);
  CHECK(changes_after(200ms) == lines{" Running  flights -> years  5 rows in  5 out"});
  rows(0, 6, 6);
  CHECK(changes_after(300ms) == lines{});
  finish(0);
  CHECK(changes_after(400ms) == lines{"Finished  flights -> years  6 rows in  6 out  0.3 s"});
  CHECK(changes_after(500ms) == lines{});
}

TEST_CASE("unbounded tasks are live or work off a backlog, and show their rate since a second ago or more") {
  flights_job live{true};
  live.rows(0, 500, 500);
  live.job.tasks[0].backlog = true;
  CHECK(live.after(500ms).front() == " Backlog  flights -> years  500 rows in  500 out");
  live.rows(0, 2000, 2000);
  CHECK(live.after(1s).front() == " Backlog  flights -> years  2,000 rows/s  2,000 rows in  2,000 out");
  live.job.tasks[0].backlog = false;
  live.rows(0, 9000, 9000);
  CHECK(live.after(1500ms).front() == "    Live  flights -> years  2,000 rows/s  9,000 rows in  9,000 out");
  live.rows(1, 10, 0);
  CHECK(live.after(2s) == lines{
                              "    Live  flights -> years  7,000 rows/s  9,000 rows in  9,000 out",
                              "    Live  by_origin         10 rows/s  10 rows in  0 out",
                              " Waiting  out",
                          });
}

TEST_CASE("a job that knows nothing yet of its tasks can be shown") {
  flights_job early;
  early.job.tasks.clear();
  CHECK(early.after(0ms) == lines{" Waiting  flights -> years", " Waiting  by_origin", " Waiting  out"});
  early.job.tasks.emplace_back().id = {{0}, 0};
  early.read(5, 10);
  CHECK(early.after(1s).front() == " Running  flights -> years    50 %  ~1 s left  0 rows in  0 out");
}

TEST_CASE("the last line says how the job ended") {
  CHECK(end_text("flights", job_phase::finished, 440ms) == "Finished job 'flights' in 0.4 s");
  CHECK(end_text("flights", job_phase::cancelled, 12s) == "Cancelled job 'flights' after 12.0 s");
}

TEST_CASE("long names are cut by characters, not by bytes") {
  CHECK(cut("flights", 7) == "flights");
  CHECK(cut("flights", 4) == "fli…");
  CHECK(cut("überflüge", 9) == "überflüge");
  CHECK(cut("überflüge", 3) == "üb…");
  CHECK(cut("flights", 1) == "…");
  CHECK(cut("flights", 0) == "");
}

TEST_CASE("a screen is drawn over what it drew before") {
  progress_screen screen{false};
  CHECK(screen.clear() == "");
  CHECK(screen.draw({"a", "b"}, {}) == "a\nb\n");
  CHECK(screen.draw({"c"}, {}) == "\x1b[2A\r\x1b[Jc\n");
  CHECK(screen.clear() == "\x1b[1A\r\x1b[J");
  CHECK(screen.draw({"d"}, {}) == "d\n");
}

TEST_CASE("a screen shows no more than fits") {
  progress_screen screen{false};
  CHECK(screen.draw({std::string(30, 'x')}, {20, 24}) == std::string(18, 'x') + "…\n");
  CHECK(progress_screen{false}.draw({"a", "b", "c", "d", "e"}, {80, 5}) == "a\nb\n          and 3 more\n");
  CHECK(progress_screen{false}.draw({"a", "b", "c"}, {80, 5}) == "a\nb\nc\n");
}

TEST_CASE("states have colour, names have not") {
  progress_screen screen{true};
  CHECK(screen.draw({"Finished  a", " Running  b"}, {}) == "\x1b[32mFinished\x1b[0m  a\n\x1b[1m Running\x1b[0m  b\n");
}
