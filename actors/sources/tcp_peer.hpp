#pragma once
#include "actors/sources/tail_records.hpp"
#include "actors/sources/tcp_lines.hpp"
#include "actors/sources/tcp_socket.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace spillway::detail {

/// How long a reader waits for peers before it comes back.
inline constexpr std::chrono::milliseconds longest_wait{50};

/// A connection, and what has come over it.
class tcp_peer {
 public:
  tcp_peer(tcp_socket socket, const std::string& address, const record_maker& make, bad_row_port& bad);

  enum class did : std::uint8_t { some, nothing, closed };

  /// Makes rows of what is there, and of what comes now without waiting for it. Closed: there is no more to come, and what was
  /// left of a record was refused.
  did read(row_slots& to);

  /// It has bytes that were not made rows for want of room.
  bool holds_records() const noexcept { return !needs_bytes_; }

  const tcp_socket& socket() const noexcept { return socket_; }
  /// Bytes that came since the last call.
  std::uint64_t take_bytes() noexcept { return std::exchange(bytes_, 0); }

 private:
  tcp_socket socket_;
  std::unique_ptr<record_stream> records_;
  bad_row_port* bad_;
  std::uint64_t bytes_ = 0;
  bool needs_bytes_ = true;
};

}  // namespace spillway::detail
