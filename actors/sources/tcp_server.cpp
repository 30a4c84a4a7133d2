#include "actors/sources/tcp_input.hpp"
#include "actors/sources/tcp_peer.hpp"
#include "messages/errors.hpp"

#include <poll.h>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace spillway::detail {
namespace {

class server_input final : public tcp_input {
 public:
  server_input(tcp_server_options options, record_maker make, const source_context& context)
      : options_(std::move(options)),
        make_(std::move(make)),
        bad_(*context.bad),
        listener_(listen_at(tcp_address::of(options_.address))) {
    if (options_.listening) options_.listening(listener_.local_address());
  }

  read_result read(row_slots& to) override {
    const auto room = to.left;
    const auto came = let_in();
    auto busy = read_in_turn(to);
    if (options_.until_closed && had_peers_ && peers_.empty() && !let_in()) return read_result::end();
    if (!came && !busy && to.left == room) wait();
    return read_result::more();
  }

  std::uint64_t bytes() const override { return bytes_; }

 private:
  bool let_in() {
    auto any = false;
    while (peers_.size() < options_.max_peers) {
      auto peer = listener_.accept();
      if (!peer) break;
      peers_.emplace_back(std::move(peer->first), peer->second, make_, bad_);
      any = had_peers_ = true;
    }
    return any;
  }

  /// Each peer once, beginning behind the one that was read last; the rest of them wait when there is no more room.
  bool read_in_turn(row_slots& to) {
    auto any = false;
    for (auto left = peers_.size(); left > 0 && !to.full(); --left) {
      auto peer = std::move(peers_.front());
      peers_.pop_front();
      const auto did = peer.read(to);
      bytes_ += peer.take_bytes();
      any = any || did != tcp_peer::did::nothing;
      if (did != tcp_peer::did::closed) peers_.push_back(std::move(peer));
    }
    return any;
  }

  void wait() {
    std::vector<pollfd> all;
    // While no connection can be taken although one waits, waiting for it would not be waiting.
    const auto full = peers_.size() >= options_.max_peers;
    if (!full && !std::exchange(refused_, false)) all.push_back({listener_.fd(), POLLIN, 0});
    for (const auto& p : peers_) all.push_back({p.socket().fd(), POLLIN, 0});
    (void)poll(all.data(), all.size(), static_cast<int>(longest_wait.count()));
    if (!all.empty() && all.front().fd == listener_.fd() && all.front().revents != 0) refused_ = !let_in();
  }

  tcp_server_options options_;
  record_maker make_;
  bad_row_port& bad_;
  tcp_socket listener_;
  std::deque<tcp_peer> peers_;
  std::uint64_t bytes_ = 0;
  bool had_peers_ = false, refused_ = false;
};

}  // namespace

std::unique_ptr<tcp_input> tcp_server_input(tcp_server_options options, record_maker make, const source_context& context) {
  return std::make_unique<server_input>(std::move(options), std::move(make), context);
}

void check_tcp(const tcp_server_options& options) {
  (void)tcp_address::of(options.address);
  if (options.max_peers == 0)
    throw pipeline_error{"'" + options.address + "' is to serve no peers\n  help: give .max_peers a number above 0"};
}

}  // namespace spillway::detail
