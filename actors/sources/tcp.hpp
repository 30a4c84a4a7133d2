#pragma once
#include "actors/made.hpp"
#include "actors/row_time.hpp"
#include "actors/source.hpp"
#include "actors/sources/tcp_input.hpp"
#include "actors/sources/tcp_lines.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace spillway {
namespace detail {

template <record T>
class tcp_reader final : public source_reader<T> {
 public:
  explicit tcp_reader(std::unique_ptr<tcp_input> input) : input_(std::move(input)) {}

  read_result read(batch_of<T>& to) override {
    auto slots = slots_of(to);
    const auto result = input_->read(slots);
    keep_rows(to, slots);
    return result;
  }
  read_progress progress() const override { return {input_->bytes(), {}}; }

 private:
  std::unique_ptr<tcp_input> input_;
};

}  // namespace detail

/// The lines that a peer sends once the job has connected to it:
///
///     p.read("trades", sw::tcp_client<trade>{.address = "feed:9000", .as = sw::json_lines<trade>{}})
///
/// When the peer closes, or does not answer, the job tries again, as `retries` says. `tcp_client<T, sw::bounded>` ends when the
/// peer closes. What is sent while there is no connection is lost, as are rows that were under way when a job is restarted: a
/// socket cannot go back. A record without a line end when the peer closes is a bad row; so is one longer than `max_record`, and
/// where a quote in CSV stays open for so long, the connection is closed. A job that cannot keep up does not read, which holds
/// the peer back.
template <class T, boundedness Bounds = unbounded>
struct tcp_client {
  static_assert(row_checked<T>);
  using row = T;
  static constexpr auto bounds = Bounds;
  static constexpr auto verb = "tcp_client";
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;

  /// `host:port`, or `[::1]:port`.
  std::string address;
  /// Rows of type `std::string` are lines if nothing else is said.
  line_format<T> as{};
  bad_rows bad{};
  row_time<T> time{};
  tcp_retries retries{};

  /// Throws `pipeline_error` for options that cannot be.
  void check() const {
    as.check();
    detail::check_tcp(options());
  }

  std::unique_ptr<source_reader<T>> open(const source_context& context) const {
    return detail::made<source_reader<T>, detail::tcp_reader<T>>(detail::tcp_client_input(options(), as.maker(), context));
  }

 private:
  detail::tcp_client_options options() const { return {address, retries, Bounds == bounded}; }
};

/// The lines that peers send who connect to the job, as many of them as like to; whole lines of one after another, in turn.
/// Otherwise as `tcp_client`. `tcp_server<T, sw::bounded>` ends when all peers have closed and there was one.
template <class T, boundedness Bounds = unbounded>
struct tcp_server {
  static_assert(row_checked<T>);
  using row = T;
  static constexpr auto bounds = Bounds;
  static constexpr auto verb = "tcp_server";
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;

  /// `host:port` to listen at: `:9000` is for peers on this machine, `0.0.0.0:9000` for all. Port 0 is one that is free.
  std::string address;
  /// Rows of type `std::string` are lines if nothing else is said.
  line_format<T> as{};
  bad_rows bad{};
  row_time<T> time{};
  /// Others wait until one of these has closed.
  std::size_t max_peers = 1024;
  /// Told where it listens, by the thread that reads, once peers may come.
  std::function<void(const std::string& address)> listening{};

  /// Throws `pipeline_error` for options that cannot be.
  void check() const {
    as.check();
    detail::check_tcp(options());
  }

  /// Throws `data_error` if it cannot listen there.
  std::unique_ptr<source_reader<T>> open(const source_context& context) const {
    return detail::made<source_reader<T>, detail::tcp_reader<T>>(detail::tcp_server_input(options(), as.maker(), context));
  }

 private:
  detail::tcp_server_options options() const { return {address, max_peers, Bounds == bounded, listening}; }
};

}  // namespace spillway
