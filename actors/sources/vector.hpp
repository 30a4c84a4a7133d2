#pragma once
#include "actors/source.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

/// The number of the next row in a position that says nothing else. Throws `data_error` if there are fewer rows than that.
std::uint64_t row_number(const source_position& p, std::uint64_t rows);

template <record T>
class vector_reader final : public source_reader<T> {
 public:
  vector_reader(std::vector<T> rows, std::size_t batch_rows) : rows_(std::move(rows)), batch_rows_(batch_rows) {}

  read_result read(batch_of<T>& to) override {
    for (std::size_t n = 0; n < batch_rows_ && next_ < rows_.size() && !to.full(); ++n) to.push(rows_[next_++]);
    return next_ < rows_.size() ? read_result::more() : read_result::end();
  }

  read_progress progress() const override { return {next_, rows_.size()}; }
  source_position position() const override { return saved::of(std::uint64_t{next_}); }
  void seek(const source_position& p) override { next_ = row_number(p, rows_.size()); }

 private:
  std::vector<T> rows_;
  std::size_t batch_rows_, next_ = 0;
};

}  // namespace detail

/// Rows at hand, in their order, by one reader. Each read gives at most `batch_rows` rows, at least 1.
template <class T>
struct from_vector {
  using row = T;
  static constexpr auto bounds = bounded;
  static constexpr auto verb = "from_vector";
  static constexpr std::uint32_t max_parallelism = 1;

  std::vector<T> rows{};
  std::size_t batch_rows = std::numeric_limits<std::size_t>::max();

  std::unique_ptr<source_reader<T>> open(const source_context&) const {
    return std::make_unique<detail::vector_reader<T>>(rows, batch_rows == 0 ? 1 : batch_rows);
  }
};

/// As in `p.read(sw::from(std::vector{1, 2, 3}))`.
template <class T>
from_vector<T> from(std::vector<T> rows) {
  return {.rows = std::move(rows)};
}

}  // namespace spillway
