// expect: to_callback needs a function of the stream's row, f(const T&), or of several, f(std::span<const T>)
#include "rows.hpp"

void job(flights all) {
  all.write(sw::to_callback{[](const city&) {}});
}
