#include "actors/sinks/to_tcp.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace spillway::detail {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

/// How long a wait lasts at most before it looks whether to stop.
constexpr auto slice = 50ms;

/// How long a peer has to read the last lines and end the connection.
constexpr auto last_wait = 1000ms;

struct addresses {
  addrinfo* first = nullptr;
  addresses() = default;
  addresses(const addresses&) = delete;
  addresses& operator=(const addresses&) = delete;
  ~addresses() {
    if (first) freeaddrinfo(first);
  }
};

}  // namespace

tcp_lines::tcp_lines(tcp_options options, const std::atomic<bool>* stop) : options_(std::move(options)), stop_(stop) {
  if (options_.host.empty() || options_.port == 0) throw pipeline_error{"to_tcp needs a host and a port"};
}

tcp_lines::~tcp_lines() { disconnect(); }

bool tcp_lines::stopped() const noexcept { return stop_ && stop_->load(std::memory_order_relaxed); }

/// False if the time is up, or the job stops.
bool tcp_lines::wait(int s, short events, std::chrono::milliseconds most) const {
  for (const auto end = clock::now() + most; !stopped();) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - clock::now());
    if (left <= 0ms) return false;
    pollfd on{s, events, 0};
    const auto found = poll(&on, s < 0 ? 0 : 1, static_cast<int>(std::min<std::chrono::milliseconds>(left, slice).count()));
    if (found > 0) return true;
  }
  return false;
}

void tcp_lines::connect() {
  for (std::uint32_t left = options_.retries;; --left) {
    const auto error = try_connect();
    if (error == 0 || stopped()) return;
    if (left == 0) fail(error);
    (void)wait(-1, 0, options_.retry_after);
  }
}

/// Tries all addresses of the host. Returns the error of the last one.
int tcp_lines::try_connect() {
  addresses found;
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  if (getaddrinfo(options_.host.c_str(), std::to_string(options_.port).c_str(), &wanted, &found.first) != 0) return EHOSTUNREACH;
  auto error = EHOSTUNREACH;
  for (const auto* a = found.first; a && error != 0 && !stopped(); a = a->ai_next) {
    const auto s = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
    if (s < 0) {
      error = errno;
      continue;
    }
    error = ::connect(s, a->ai_addr, a->ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) error = finish_connect(s);
    if (error != 0) {
      ::close(s);
      continue;
    }
    const int on = 1;
    (void)setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    socket_ = s;
  }
  return error;
}

int tcp_lines::finish_connect(int s) {
  if (!wait(s, POLLOUT, options_.connect_timeout)) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

void tcp_lines::send() {
  for (std::uint32_t broken = 0; sent_ < text_.size() && !stopped();) {
    if (socket_ < 0) connect();
    if (socket_ < 0) break;
    const auto error = send_some();
    if (error == 0) continue;
    disconnect();
    if (broken++ == options_.retries) fail(error);
    // A line that the peer has a part of is sent again.
    if (sent_ > 0) sent_ = text_.rfind('\n', sent_ - 1) + 1;
    (void)wait(-1, 0, options_.retry_after);
  }
  text_.clear();
  sent_ = 0;
}

/// Sends what can be sent within a slice of time.
int tcp_lines::send_some() {
  const auto n = ::send(socket_, text_.data() + sent_, text_.size() - sent_, MSG_NOSIGNAL);
  if (n >= 0) {
    sent_ += static_cast<std::size_t>(n);
    return 0;
  }
  if (errno == EAGAIN || errno == EWOULDBLOCK) {
    (void)wait(socket_, POLLOUT, slice);
    return 0;
  }
  return errno == EINTR ? 0 : errno;
}

void tcp_lines::close() {
  send();
  if (socket_ < 0) return;
  // Closed at once, the system might throw away what the peer has not read yet.
  (void)shutdown(socket_, SHUT_WR);
  char unread[4096];
  for (const auto end = clock::now() + last_wait; clock::now() < end && wait(socket_, POLLIN, last_wait);) {
    const auto n = recv(socket_, unread, sizeof unread, 0);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) break;
  }
  disconnect();
}

void tcp_lines::disconnect() noexcept {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void tcp_lines::fail(int error) const {
  const auto v6 = options_.host.find(':') != options_.host.npos;
  const auto peer = (v6 ? '[' + options_.host + ']' : options_.host) + ':' + std::to_string(options_.port);
  throw std::runtime_error{"cannot send to " + peer + ": " +
                           (error == EHOSTUNREACH ? "no such host, or no way to it" : std::generic_category().message(error)) +
                           ", " + std::to_string(options_.retries + 1) + (options_.retries == 0 ? " attempt" : " attempts") +
                           "\n  help: start the server there, or raise retries"};
}

}  // namespace spillway::detail
