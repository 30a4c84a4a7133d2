#pragma once
#include <memory>
#include <utility>

namespace spillway::detail {

/// An `X` by its base. There is an `X` for each step of a pipeline, and without a `std::unique_ptr<X>` for each of them programs
/// compile noticeably faster.
template <class Base, class X, class... Args>
std::unique_ptr<Base> made(Args&&... args) {
  return std::unique_ptr<Base>(new X(std::forward<Args>(args)...));
}

}  // namespace spillway::detail
