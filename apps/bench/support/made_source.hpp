#pragma once
#include "support/rows.hpp"

#include <algorithm>
#include <memory>

namespace bench {

/// A source that makes rows in the batch's own buffer, whose strings keep their memory.
template <class T>
struct made_source {
  using row = T;
  static constexpr auto bounds = spillway::bounded;

  std::uint64_t rows = 0, keys = 1;

  std::unique_ptr<spillway::source_reader<T>> open(const spillway::source_context& ctx) const {
    class reader final : public spillway::source_reader<T> {
     public:
      reader(std::uint64_t first, std::uint64_t end, std::uint64_t keys) : next_(first), end_(end), keys_(keys) {}

      spillway::read_result read(spillway::batch_of<T>& to) override {
        for (; next_ < end_ && !to.full(); ++next_) to.push_with([&](T& r) { make_row(next_, keys_, r); });
        return next_ < end_ ? spillway::read_result::more() : spillway::read_result::end();
      }

     private:
      std::uint64_t next_, end_, keys_;
    };
    return std::make_unique<reader>(rows * ctx.subtask / ctx.parallelism, rows * (ctx.subtask + 1) / ctx.parallelism, keys);
  }
};

}  // namespace bench
