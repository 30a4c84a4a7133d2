#pragma once
#include "actors/source.hpp"
#include "actors/sources/tail_records.hpp"
#include "actors/sources/tcp_lines.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace spillway {

/// How often, and after which pauses, a peer is asked for a connection that does not come about.
struct tcp_retries {
  /// In a row, until the job fails.
  std::uint32_t attempts = 10;
  /// After the first; each that follows is twice as long, up to the longest.
  std::chrono::milliseconds pause{100};
  std::chrono::milliseconds longest_pause{10'000};
  /// How long one attempt may take.
  std::chrono::milliseconds timeout{10'000};
};

namespace detail {

/// Rows that come over connections.
class tcp_input {
 public:
  virtual ~tcp_input() = default;
  virtual read_result read(row_slots& to) = 0;
  /// Bytes that have come.
  virtual std::uint64_t bytes() const = 0;
};

struct tcp_client_options {
  std::string address;
  tcp_retries retries{};
  bool until_closed = false;
};

struct tcp_server_options {
  std::string address;
  std::size_t max_peers = 0;
  bool until_closed = false;
  std::function<void(const std::string& address)> listening{};
};

std::unique_ptr<tcp_input> tcp_client_input(tcp_client_options options, record_maker make, const source_context& context);
std::unique_ptr<tcp_input> tcp_server_input(tcp_server_options options, record_maker make, const source_context& context);

/// Throw `pipeline_error` for options that cannot be.
void check_tcp(const tcp_client_options& options);
void check_tcp(const tcp_server_options& options);

}  // namespace detail
}  // namespace spillway
