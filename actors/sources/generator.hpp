#pragma once
#include "actors/source.hpp"
#include "actors/sources/vector.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace spillway {

/// How fast rows are made up, by all subtasks together: 0 is as fast as they are taken, else from 1e-6 to 1e12. After a pause the
/// rows missed follow at once.
struct generate_options {
  double rows_per_second = 0;
};

namespace detail {

/// Which row is due when. The first is due at once, when `due` is first asked.
class pace {
 public:
  /// Without a clock the machine's own is used.
  pace(double rows_per_second, const job_clock* clock) : rate_(rows_per_second), clock_(clock) {}

  bool limited() const noexcept { return rate_ > 0; }

  /// The rows before number `n` are not counted: that one is due at once. To be called before `due`.
  void begin_at(std::uint64_t n) noexcept { first_ = n; }

  /// How many rows are due by now, from the first on.
  std::uint64_t due();

  /// The time until row number `n` (the first is 0) is due, at least 100 us.
  std::chrono::microseconds until(std::uint64_t n) const;

 private:
  std::chrono::steady_clock::time_point now() const;

  double rate_;
  const job_clock* clock_;
  std::uint64_t first_ = 0;
  bool started_ = false;
  std::chrono::steady_clock::time_point start_;
};

/// Throws `data_error` if rows cannot be made up at that rate, or so many.
void check_generated(double rows_per_second, std::optional<std::uint64_t> count);

/// The row numbers of one subtask: `first`, `first + stride`, … `count` of them.
struct number_range {
  std::uint64_t first = 0, stride = 1, count = 0;
};

/// The part of `count` rows in a row that falls to a subtask.
number_range part_of(std::uint64_t count, const source_context& context);

template <record T, class F>
class generator_reader final : public source_reader<T> {
 public:
  generator_reader(F make, number_range numbers, bool ends, pace p)
      : make_(std::move(make)), numbers_(numbers), ends_(ends), pace_(p) {}

  read_result read(batch_of<T>& to) override {
    auto n = numbers_.count - done_;
    if (pace_.limited()) n = std::min(n, pace_.due() - done_);
    if (n > 0) fill(to, n);
    if (done_ == numbers_.count) return read_result::end();
    return pace_.limited() && !to.full() ? read_result::wait(pace_.until(done_)) : read_result::more();
  }

  read_progress progress() const override {
    if (!ends_) return {done_, {}};
    return {done_, numbers_.count};
  }
  source_position position() const override { return saved::of(done_); }
  void seek(const source_position& p) override {
    done_ = row_number(p, numbers_.count);
    pace_.begin_at(done_);
  }

 private:
  void fill(batch_of<T>& to, std::uint64_t n) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      n = std::min<std::uint64_t>(n, batch_of<T>::capacity - to.size());
      write(to.data() + to.size(), n, numbers_.first + done_ * numbers_.stride, numbers_.stride);
      to.set_size(to.size() + n);
      done_ += n;
    } else {
      for (; n > 0 && !to.full(); --n, ++done_) to.push(std::invoke(make_, numbers_.first + done_ * numbers_.stride));
    }
  }

  /// A copy of a small `make` lets the compiler know that writing rows does not change it.
  void write(T* out, std::uint64_t n, std::uint64_t number, std::uint64_t stride) {
    std::conditional_t<small_and_const, F, F&> make = make_;
    if (stride == 1)
      for (std::uint64_t i = 0; i < n; ++i) out[i] = std::invoke(make, number + i);
    else
      for (std::uint64_t i = 0; i < n; ++i) out[i] = std::invoke(make, number + i * stride);
  }

  static constexpr bool small_and_const =
      std::is_trivially_copyable_v<F> && sizeof(F) <= 64 && std::is_invocable_v<const F&, std::uint64_t>;

  F make_;
  number_range numbers_;
  std::uint64_t done_ = 0;
  bool ends_;
  pace pace_;
};

}  // namespace detail

/// What `generate` and `generate_forever` give to `read`.
template <class F, boundedness Bounds>
struct generated {
  static_assert(std::is_invocable_v<F&, std::uint64_t>, "generate() takes f(i) that makes row number i, a std::uint64_t");
  using row = std::remove_cvref_t<std::invoke_result_t<F&, std::uint64_t>>;
  static constexpr auto bounds = Bounds;
  static constexpr auto verb = "generate";

  F make;
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
  generate_options options{};

  /// Throws `data_error` if the rate or the count cannot be meant.
  void check() const {
    detail::check_generated(options.rows_per_second, Bounds == bounded ? std::optional{count} : std::nullopt);
  }

  std::unique_ptr<source_reader<row>> open(const source_context& context) const {
    const auto numbers = Bounds == bounded
                             ? detail::part_of(count, context)
                             : detail::number_range{context.subtask, context.parallelism, count / context.parallelism};
    const detail::pace pace{options.rows_per_second / context.parallelism, context.clock};
    return std::make_unique<detail::generator_reader<row, F>>(make, numbers, Bounds == bounded, pace);
  }
};

/// `count` rows `make(i)`, with `i` from 0 on, as in `p.read(sw::generate(1'000'000, [](std::uint64_t i) { return i * i; }))`.
/// Each subtask makes its part of the numbers, in order, with a `make` of its own.
template <class F>
generated<F, bounded> generate(std::uint64_t count, F make, generate_options options = {}) {
  return {std::move(make), count, options};
}

/// Rows `make(i)` without end; of several subtasks each takes every so manieth number.
template <class F>
generated<F, unbounded> generate_forever(F make, generate_options options = {}) {
  return {.make = std::move(make), .options = options};
}

}  // namespace spillway
