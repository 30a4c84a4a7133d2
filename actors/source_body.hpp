#pragma once
// A description of a source as the runtime wants it.
#include "actors/compose.hpp"
#include "actors/row_time.hpp"
#include "actors/task/bodies.hpp"

#include <concepts>
#include <memory>
#include <utility>
#include <vector>

namespace spillway::detail {

/// The splits of a source that says nothing of them: one for each subtask.
std::unique_ptr<split_list> one_for_each(const source_context& context);

std::unique_ptr<split_list> list_of(std::vector<split> all);

/// The context for the reader of such a split.
source_context for_numbered(const split& s, source_context context);

template <class Source>
class source_body_of final : public source_body {
  using T = typename Source::row;

 public:
  explicit source_body_of(Source source) : source_(std::move(source)) {
    unbounded = Source::bounds == boundedness::unbounded;
    fixed = !in_splits;
    if constexpr (requires { Source::tells_backlog; }) tells_backlog = Source::tells_backlog;
  }

  void check() const override {
    if constexpr (requires { source_.check(); }) source_.check();
  }

  std::shared_ptr<const void> attach() const override {
    if constexpr (requires { source_.attach(); })
      return source_.attach();
    else
      return {};
  }

  std::unique_ptr<split_list> splits(const source_context& context) const override {
    if constexpr (!in_splits)
      return one_for_each(context);
    else if constexpr (std::convertible_to<decltype(source_.splits(context)), std::vector<split>>)
      return list_of(source_.splits(context));
    else
      return source_.splits(context);
  }

  std::unique_ptr<source_head> open(const split& s, const source_context& context) const override {
    if constexpr (in_splits)
      return std::unique_ptr<source_head>(new source_head_of<T>(source_.open(s, context)));
    else
      return std::unique_ptr<source_head>(new source_head_of<T>(source_.open(for_numbered(s, context))));
  }

 private:
  static constexpr bool in_splits = requires(const Source& s, const source_context& ctx) { s.splits(ctx); };

  Source source_;
};

template <class Source>
std::shared_ptr<const step_body> source_body_for(Source source) {
  return shared(new source_body_of<Source>(std::move(source)));
}

}  // namespace spillway::detail
