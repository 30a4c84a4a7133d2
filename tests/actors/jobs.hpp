#pragma once
// Sources and rows for whole jobs.
#include "actors/pipeline.hpp"

#include <array>
#include <deque>
#include <functional>
#include <mutex>

namespace spillway::tests {

using number = std::int64_t;
using numbers = std::vector<number>;

/// A row that fills a batch, so that rows are counted where batches are meant.
struct block {
  number value = 0;
  std::array<char, max_batch_bytes - sizeof(number)> filling;
};

inline block block_of(number value) {
  block b;
  b.value = value;
  return b;
}

/// 0, 1, 2 … `count` of them, each in a batch of its own, dealt to the subtasks in turn.
struct one_by_one {
  using row = number;
  static constexpr auto bounds = bounded;
  number count = 0;

  struct reader final : source_reader<number> {
    reader(number next, number step, number count) : next(next), step(step), count(count) {}
    read_result read(batch_of<number>& to) override {
      if (next >= count) return read_result::end();
      to.push(next);
      next += step;
      return read_result::more();
    }
    number next, step, count;
  };
  std::unique_ptr<source_reader<number>> open(const source_context& ctx) const {
    return std::make_unique<reader>(ctx.subtask, ctx.parallelism, count);
  }
};

/// The same from a thread of its own.
struct one_by_one_blocking : one_by_one {
  static constexpr bool blocking = true;
};

/// Does in its reads what it is told, then waits for an hour at a time.
struct scripted {
  using row = number;
  using step = std::function<read_result(batch_of<number>&)>;
  static constexpr auto bounds = unbounded;
  static constexpr std::uint32_t max_parallelism = 1;
  std::vector<step> reads;

  struct reader final : source_reader<number> {
    explicit reader(std::vector<step> reads) : reads(std::move(reads)) {}
    read_result read(batch_of<number>& to) override {
      return next < reads.size() ? reads[next++](to) : read_result::wait(std::chrono::hours{1});
    }
    std::vector<step> reads;
    std::size_t next = 0;
  };
  std::unique_ptr<source_reader<number>> open(const source_context&) const { return std::make_unique<reader>(reads); }
};

/// Gives rows when their time has come, counted from its first read, then none for ever.
struct timed {
  using row = number;
  static constexpr auto bounds = unbounded;
  static constexpr std::uint32_t max_parallelism = 1;
  struct due {
    std::chrono::microseconds at;
    numbers rows;
  };
  std::vector<due> rows;

  struct reader final : source_reader<number> {
    reader(std::vector<due> rows, const job_clock* clock) : rows(std::move(rows)), clock(clock), start(clock->now()) {}
    read_result read(batch_of<number>& to) override {
      if (next == rows.size()) return read_result::wait(std::chrono::hours{1});
      const auto left = std::chrono::duration_cast<std::chrono::microseconds>(start + rows[next].at - clock->now());
      if (left.count() > 0) return read_result::wait(left);
      for (auto r : rows[next++].rows) to.push(r);
      return read_result::more();
    }
    std::vector<due> rows;
    const job_clock* clock;
    std::chrono::steady_clock::time_point start;
    std::size_t next = 0;
  };
  std::unique_ptr<source_reader<number>> open(const source_context& ctx) const {
    return std::make_unique<reader>(rows, ctx.clock);
  }
};

inline numbers sorted(numbers all) {
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace spillway::tests

template <>
inline constexpr bool spillway::plain_row<spillway::tests::block> = true;
