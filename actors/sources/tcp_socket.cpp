#include "actors/sources/tcp_socket.hpp"

#include "messages/errors.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

namespace spillway::detail {
namespace {

std::string text_of(const tcp_address& a) {
  return (a.host.find(':') != std::string::npos ? '[' + a.host + ']' : a.host) + ':' + a.port;
}

std::string text_of(int error) { return std::generic_category().message(error); }

std::string text_of(const sockaddr_storage& address, socklen_t size) {
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "an unknown peer";
  return text_of(tcp_address{host, port});
}

struct free_addresses {
  void operator()(addrinfo* all) const { freeaddrinfo(all); }
};

std::unique_ptr<addrinfo, free_addresses> resolve(const tcp_address& where, bool passive) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = (passive ? AI_PASSIVE : 0) | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const auto error = getaddrinfo(where.host.c_str(), where.port.c_str(), &hints, &found);
  if (error != 0)
    throw data_error{"there is no address for '" + text_of(where) + "': " + gai_strerror(error) +
                     "\n  help: check the name of the host"};
  return std::unique_ptr<addrinfo, free_addresses>{found};
}

tcp_socket socket_for(const addrinfo& a) {
  return tcp_socket{socket(a.ai_family, a.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a.ai_protocol)};
}

}  // namespace

tcp_address tcp_address::of(std::string_view text) {
  const auto colon = text.rfind(':');
  auto host = text.substr(0, colon == std::string_view::npos ? text.size() : colon);
  const auto port = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  const auto in_brackets = host.starts_with('[') && host.ends_with(']');
  const auto digits =
      !port.empty() && port.size() <= 5 && std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || std::stoul(std::string{port}) > 65535 || (!in_brackets && host.find(':') != std::string_view::npos))
    throw pipeline_error{"'" + std::string{text} +
                         "' is no address\n  help: write host:port, as in 127.0.0.1:9000 or [::1]:9000"};
  if (in_brackets) host = host.substr(1, host.size() - 2);
  return {host.empty() ? "127.0.0.1" : std::string{host}, std::string{port}};
}

void tcp_socket::close() noexcept {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

tcp_socket::received tcp_socket::receive(char* to, std::size_t n) const {
  for (;;) {
    const auto got = recv(fd_, to, n, 0);
    if (got > 0) return {static_cast<std::size_t>(got), false};
    if (got == 0) return {0, true};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {};
    if (errno != EINTR) return {0, true};
  }
}

bool tcp_socket::wait(short events, std::chrono::milliseconds longest) const {
  pollfd p{fd_, events, 0};
  return poll(&p, 1, static_cast<int>(longest.count())) > 0;
}

std::optional<std::pair<tcp_socket, std::string>> tcp_socket::accept() const {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  // A peer that is gone again, or too many open files: the next turn tries again.
  const auto fd = accept4(fd_, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return std::nullopt;
  return std::pair{tcp_socket{fd}, text_of(peer, size)};
}

std::string tcp_socket::local_address() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  return text_of(address, size);
}

tcp_socket listen_at(const tcp_address& where) {
  int error = 0;
  const auto all = resolve(where, true);
  for (const auto* a = all.get(); a; a = a->ai_next) {
    auto s = socket_for(*a);
    const int yes = 1;
    if (s.is_open()) (void)setsockopt(s.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (s.is_open() && bind(s.fd(), a->ai_addr, a->ai_addrlen) == 0 && listen(s.fd(), SOMAXCONN) == 0) return s;
    error = errno;
  }
  throw data_error{"cannot listen at '" + text_of(where) + "': " + text_of(error) +
                   (error == EADDRINUSE ? "\n  help: end what listens there, or choose another port"
                                        : "\n  help: listen at an address of this machine, and a port from 1024 on")};
}

struct tcp_connect::addresses {
  std::unique_ptr<addrinfo, free_addresses> all;
  const addrinfo* next = nullptr;
};

tcp_connect::tcp_connect(const tcp_address& where) : found_(std::make_unique<addresses>()) {
  found_->all = resolve(where, false);
  found_->next = found_->all.get();
}

tcp_connect::~tcp_connect() = default;

tcp_connect::state tcp_connect::go_on(std::chrono::milliseconds longest) {
  if (!socket_.is_open()) return next();
  if (!socket_.wait(POLLOUT, longest)) return state::trying;
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(socket_.fd(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  return error == 0 ? state::connected : fails(error);
}

tcp_connect::state tcp_connect::next() {
  if (!found_->next) return state::failed;
  const auto& a = *std::exchange(found_->next, found_->next->ai_next);
  socket_ = socket_for(a);
  if (!socket_.is_open()) return fails(errno);
  if (connect(socket_.fd(), a.ai_addr, a.ai_addrlen) == 0) return state::connected;
  return errno == EINPROGRESS ? state::trying : fails(errno);
}

tcp_connect::state tcp_connect::fails(int error) {
  cause_ = text_of(error);
  socket_.close();
  return found_->next ? state::trying : state::failed;
}

}  // namespace spillway::detail
