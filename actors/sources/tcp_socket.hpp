#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace spillway::detail {

/// Where a peer is, or where peers are awaited.
struct tcp_address {
  std::string host, port;

  /// Of `host:port`, `[::1]:port`, or `:port`, which is a port of this machine. Throws `pipeline_error` for another text.
  static tcp_address of(std::string_view text);
};

/// A socket, which never blocks.
///
/// Threads: used by one thread at a time. Errors: `errno` numbers where a peer is to blame.
class tcp_socket {
 public:
  tcp_socket() = default;
  explicit tcp_socket(int fd) noexcept : fd_(fd) {}
  tcp_socket(tcp_socket&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
  tcp_socket& operator=(tcp_socket&& o) noexcept {
    std::swap(fd_, o.fd_);
    return *this;
  }
  ~tcp_socket() { close(); }

  void close() noexcept;
  bool is_open() const noexcept { return fd_ >= 0; }
  int fd() const noexcept { return fd_; }

  struct received {
    std::size_t bytes = 0;
    /// The peer has closed its side, or the connection broke.
    bool closed = false;
  };
  /// Takes at most `n` bytes that have come.
  received receive(char* to, std::size_t n) const;

  /// Waits until there is something to do, as `poll` has it, or `longest` has passed. True if there is.
  bool wait(short events, std::chrono::milliseconds longest) const;

  /// The next peer that has come, with its address as text; nothing if there is none.
  std::optional<std::pair<tcp_socket, std::string>> accept() const;

  /// Where it listens, as `host:port`.
  std::string local_address() const;

 private:
  int fd_ = -1;
};

/// Listens. Throws `data_error` naming the address if that is not possible.
tcp_socket listen_at(const tcp_address& where);

/// One address after another of a host, until a connection comes about.
class tcp_connect {
 public:
  /// Throws `data_error` if there is no such host.
  explicit tcp_connect(const tcp_address& where);
  ~tcp_connect();
  tcp_connect(const tcp_connect&) = delete;
  tcp_connect& operator=(const tcp_connect&) = delete;

  enum class state : std::uint8_t { trying, connected, failed };

  /// Goes on, and waits for at most `longest`.
  state go_on(std::chrono::milliseconds longest);

  tcp_socket take() noexcept { return std::move(socket_); }
  /// Why it failed.
  const std::string& cause() const noexcept { return cause_; }

 private:
  state next();
  state fails(int error);

  struct addresses;
  std::unique_ptr<addresses> found_;
  tcp_socket socket_;
  std::string cause_;
};

}  // namespace spillway::detail
