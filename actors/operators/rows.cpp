#include "actors/operators/rows.hpp"

#include <utility>

namespace spillway::detail {
namespace {

/// A row or key for a message: not more than a screen can show.
std::string shown(const void* value, void (*append)(std::string&, const void*)) {
  std::string whole;
  append(whole, value);
  if (whole.size() <= 1000) return whole;
  return whole.substr(0, 1000) + "... (" + std::to_string(whole.size()) + " characters)";
}

}  // namespace

out_state::out_state(std::shared_ptr<batch_pool> pool) : pool_(std::move(pool)) {}
out_state::~out_state() = default;

void out_state::flush() {
  if (open_) to_->push(std::exchange(open_, {}));
}

void fail_on(const void* row, void (*append)(std::string&, const void*), const char* where) {
  fail_because(shown(row, append), where);
}

void fail_at(const void* row, void (*append)(std::string&, const void*)) {
  try {
    fail_on(row, append, "");
  } catch (step_failed& e) {
    e.at_row = true;
    throw;
  }
}

void fail_on_group(const void* key, void (*append)(std::string&, const void*)) {
  fail_because("", "key " + shown(key, append) + ": ");
}

}  // namespace spillway::detail
