#include "actors/sources/tcp_input.hpp"
#include "actors/sources/tcp_peer.hpp"
#include "messages/errors.hpp"

#include <poll.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

namespace spillway::detail {
namespace {

using std::chrono::steady_clock;

class client_input final : public tcp_input {
 public:
  client_input(tcp_client_options options, record_maker make, const source_context& context)
      : options_(std::move(options)),
        where_(tcp_address::of(options_.address)),
        make_(std::move(make)),
        bad_(*context.bad),
        clock_(context.clock),
        pause_(options_.retries.pause) {}

  read_result read(row_slots& to) override {
    if (!peer_) return connect();
    const auto room = to.left;
    for (;;) {
      const auto did = peer_->read(to);
      const auto bytes = peer_->take_bytes();
      bytes_ += bytes;
      // A peer that says something is worth a new beginning.
      if (bytes > 0) pause_ = options_.retries.pause;
      if (did == tcp_peer::did::closed) return closed();
      if (did == tcp_peer::did::nothing || to.full()) break;
    }
    if (to.left == room) (void)peer_->socket().wait(POLLIN, longest_wait);
    return read_result::more();
  }

  std::uint64_t bytes() const override { return bytes_; }

 private:
  steady_clock::time_point now() const { return clock_ ? clock_->now() : steady_clock::now(); }

  read_result connect() {
    if (!attempt_) {
      const auto left = std::chrono::ceil<std::chrono::microseconds>(next_attempt_ - now());
      if (left.count() > 0) return read_result::wait(left);
      begun_ = now();
      try {
        attempt_.emplace(where_);
      } catch (const data_error& e) {
        return failed(e.what());
      }
    }
    switch (attempt_->go_on(longest_wait)) {
      case tcp_connect::state::trying:
        return now() - begun_ < options_.retries.timeout ? read_result::more() : failed("it took too long");
      case tcp_connect::state::failed:
        return failed(attempt_->cause());
      case tcp_connect::state::connected:
        peer_.emplace(attempt_->take(), options_.address, make_, bad_);
        attempt_.reset();
        failures_ = 0;
    }
    return read_result::more();
  }

  read_result failed(std::string cause) {
    attempt_.reset();
    if (++failures_ < options_.retries.attempts) return rest();
    cause.resize(std::min(cause.size(), cause.find('\n')));
    throw data_error{"cannot connect to '" + options_.address + "', tried " + std::to_string(failures_) +
                     (failures_ == 1 ? " time: " : " times: ") + cause +
                     "\n  help: start what listens there, or raise .retries.attempts"};
  }

  read_result closed() {
    peer_.reset();
    return options_.until_closed ? read_result::end() : rest();
  }

  read_result rest() {
    const auto pause = std::exchange(pause_, std::min(pause_ * 2, options_.retries.longest_pause));
    next_attempt_ = now() + pause;
    return read_result::wait(pause);
  }

  tcp_client_options options_;
  tcp_address where_;
  record_maker make_;
  bad_row_port& bad_;
  const job_clock* clock_;
  std::chrono::milliseconds pause_;
  steady_clock::time_point next_attempt_{}, begun_{};
  std::optional<tcp_connect> attempt_;
  std::optional<tcp_peer> peer_;
  std::uint32_t failures_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<tcp_input> tcp_client_input(tcp_client_options options, record_maker make, const source_context& context) {
  return std::make_unique<client_input>(std::move(options), std::move(make), context);
}

void check_tcp(const tcp_client_options& options) {
  (void)tcp_address::of(options.address);
  const auto& r = options.retries;
  if (r.attempts == 0 || r.pause.count() <= 0 || r.longest_pause < r.pause || r.timeout.count() <= 0)
    throw pipeline_error{"the retries for '" + options.address +
                         "' cannot be\n  help: attempts, pause and timeout are above 0, and longest_pause is no less than pause"};
}

}  // namespace spillway::detail
