#include "actors/task/stage.hpp"

#include <utility>

namespace spillway {

void outlet::push(batch_ptr rows) {
  if (rows && !rows->empty()) queue_.emplace_back(std::move(rows));
}

void outlet::push(control mark) { queue_.emplace_back(mark); }

void outlet::push_side(std::uint8_t side, batch_ptr rows) {
  if (rows && !rows->empty()) (sides_.emplace_back(std::move(rows)), sides_.back().side = side);
}

bool is_end(const control& mark) noexcept { return std::holds_alternative<end_mark>(mark); }

stage::~stage() = default;
progress stage::on_mark(const control&, outlet&) { return progress::done; }
void stage::on_pause() {}
std::optional<std::chrono::microseconds> stage::pause_again() const { return std::nullopt; }
std::uint64_t stage::keys() const { return 0; }
std::optional<timestamp> stage::greatest_time() const { return std::nullopt; }
message_handlers* stage::handlers() { return nullptr; }

progress pass_stage::on_rows(rows_cursor& in, outlet& out) {
  out.push(std::move(in.rows));
  return progress::done;
}

}  // namespace spillway
