#pragma once
#include "actors/made.hpp"
#include "actors/sink.hpp"
#include "actors/sinks/csv_line.hpp"
#include "actors/sinks/json_line.hpp"
#include "messages/errors.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace spillway {

/// How rows are sent: lines of CSV without a header, or of JSON.
enum class line_form : std::uint8_t { csv, json };

namespace detail {

struct tcp_options {
  std::string host;
  std::uint16_t port = 0;
  std::uint32_t retries = 0;
  std::chrono::milliseconds connect_timeout{0}, retry_after{0};
};

/// Sends lines to a peer, and connects anew where the connection breaks. Errors: `std::runtime_error` naming host and port. Once
/// `stop` is true, whatever waits gives up within 100 ms, and no more is sent.
class tcp_lines {
 public:
  tcp_lines(tcp_options options, const std::atomic<bool>* stop);
  tcp_lines(const tcp_lines&) = delete;
  tcp_lines& operator=(const tcp_lines&) = delete;
  ~tcp_lines();

  /// Where to append whole lines.
  std::string& text() noexcept { return text_; }

  void send_large() {
    if (text_.size() >= large) send();
  }
  /// Hands all lines to the system.
  void send();
  /// The same, and ends the connection: waits a moment for the peer to end it, too.
  void close();

 private:
  static constexpr std::size_t large = 64 * 1024;

  bool stopped() const noexcept;
  void connect();
  int try_connect();
  int finish_connect(int s);
  bool wait(int s, short events, std::chrono::milliseconds most) const;
  int send_some();
  void disconnect() noexcept;
  [[noreturn]] void fail(int error) const;

  tcp_options options_;
  const std::atomic<bool>* stop_;
  std::string text_;
  /// Bytes of `text_` that were handed to the system.
  std::size_t sent_ = 0;
  int socket_ = -1;
};

template <record T>
class tcp_csv_writer final : public sink_writer<T> {
 public:
  tcp_csv_writer(tcp_options options, const sink_context& context) : lines_(std::move(options), context.stop) {}

  void write(const batch_of<T>& batch) override {
    append_csv_lines(lines_.text(), batch);
    lines_.send_large();
  }
  void flush() override { lines_.send(); }
  void close() override { lines_.close(); }

 private:
  tcp_lines lines_;
};

template <record T>
class tcp_json_writer final : public sink_writer<T> {
 public:
  tcp_json_writer(tcp_options options, const sink_context& context)
      : lines_(std::move(options), context.stop), rows_(context, json_field_names<T>()) {
    rows_.append_to(lines_.text());
  }

  void write(const batch_of<T>& batch) override {
    append_json_rows(rows_, batch, 0, batch.size());
    lines_.send_large();
  }
  void flush() override { lines_.send(); }
  void close() override { lines_.close(); }

 private:
  tcp_lines lines_;
  json_rows rows_;
};

}  // namespace detail

/// Sends rows to a TCP server, as lines of JSON or CSV; each subtask over a connection of its own, which it opens with the first
/// rows. A slow peer slows the job down.
///
/// Where the connection breaks it is opened anew, and sending goes on with the line that was not sent whole. Nothing more is
/// promised: lines that the peer had not read when it broke are lost, and one may come twice. What arrives from the peer is not
/// read. Not encrypted: it is for peers on this machine or in a network that is trusted.
struct to_tcp {
  static constexpr bool blocking = true;
  static constexpr auto verb = "to_tcp";

  /// A name or an address, such as 127.0.0.1 or ::1.
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  line_form as = line_form::json;
  std::chrono::milliseconds connect_timeout{5000};
  /// So many times in a row it tries again to connect and to send, before the job fails.
  std::uint32_t retries = 5;
  std::chrono::milliseconds retry_after{500};

  template <record T>
  std::unique_ptr<sink_writer<T>> open(const sink_context& context) const {
    const detail::tcp_options options{host, port, retries, connect_timeout, retry_after};
    if (as == line_form::json) return detail::made<sink_writer<T>, detail::tcp_json_writer<T>>(options, context);
    if constexpr (has_list_column<T>)
      throw pipeline_error{"step '" + context.step + "': lines of CSV need plain columns, and a member is a list: send JSON"};
    else
      return detail::made<sink_writer<T>, detail::tcp_csv_writer<T>>(options, context);
  }
};

}  // namespace spillway
