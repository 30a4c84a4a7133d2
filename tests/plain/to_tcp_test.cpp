#include "actors/sinks/to_tcp.hpp"

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace spillway;
using namespace std::chrono_literals;

namespace {

/// Listens on a port of the loopback interface that the system chose.
class server {
 public:
  explicit server(int receive_buffer = 0) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    REQUIRE(bind(socket_, reinterpret_cast<sockaddr*>(&at), size) == 0);
    REQUIRE(listen(socket_, 4) == 0);
    REQUIRE(getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &size) == 0);
    port_ = ntohs(at.sin_port);
  }
  server(const server&) = delete;
  server& operator=(const server&) = delete;
  ~server() { close(socket_); }

  std::uint16_t port() const { return port_; }
  int accept() const { return ::accept(socket_, nullptr, nullptr); }

  /// Waits for a connection and reads it to its end, or to so many bytes.
  std::string read_one(std::size_t most = std::string::npos) const {
    const auto peer = accept();
    std::string text;
    char some[1000];
    while (text.size() < most) {
      const auto n = recv(peer, some, std::min(sizeof some, most - text.size()), 0);
      if (n <= 0) break;
      text.append(some, static_cast<std::size_t>(n));
    }
    // What was not read makes the connection break for the other side.
    close(peer);
    return text;
  }

 private:
  int socket_;
  std::uint16_t port_ = 0;
};

template <class T>
void write_rows(sink_writer<T>& writer, const std::vector<T>& rows) {
  batch_of<T> batch;
  for (const auto& row : rows) batch.push(row);
  writer.write(batch);
}

std::string lines_of(int from, int to) {
  std::string text;
  for (; from < to; ++from) text += "{\"value\":" + std::to_string(from) + "}\n";
  return text;
}

std::string error_of(auto f) {
  try {
    f();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("rows come as lines, of JSON or of CSV") {
  for (const auto form : {line_form::json, line_form::csv}) {
    const server peer;
    std::string text;
    std::thread reading{[&] { text = peer.read_one(); }};
    const auto writer = to_tcp{.port = peer.port(), .as = form}.open<std::string>({.step = "out"});
    write_rows<std::string>(*writer, {"a", "b,c"});
    writer->flush();
    write_rows<std::string>(*writer, {"d"});
    writer->close();
    reading.join();
    CHECK(text == (form == line_form::json ? "{\"value\":\"a\"}\n{\"value\":\"b,c\"}\n{\"value\":\"d\"}\n" : "a\n\"b,c\"\nd\n"));
  }
}

TEST_CASE("a slow peer gets all lines, though they are sent in pieces") {
  const server peer{4096};
  std::string text;
  std::thread reading{[&] { text = peer.read_one(); }};
  const auto writer = to_tcp{.port = peer.port()}.open<int>({.step = "out"});
  for (int i = 0; i < 100'000; i += 1000) {
    std::vector<int> rows;
    for (int k = i; k < i + 1000; ++k) rows.push_back(k);
    write_rows(*writer, rows);
  }
  writer->close();
  reading.join();
  CHECK(text == lines_of(0, 100'000));
}

TEST_CASE("a connection that breaks is opened anew, and goes on with a whole line") {
  const server peer{4096};
  std::string first, second;
  std::thread reading{[&] {
    first = peer.read_one(5);
    second = peer.read_one();
  }};
  const auto writer = to_tcp{.port = peer.port(), .retry_after = 1ms}.open<int>({.step = "out"});
  std::vector<int> rows;
  for (int i = 0; i < 4000; ++i) rows.push_back(i);
  // Each more than the peer's system takes, so that it is noticed.
  for (int n = 0; n < 100; ++n) write_rows(*writer, rows);
  writer->close();
  reading.join();
  CHECK(first == lines_of(0, 1).substr(0, 5));
  REQUIRE(second.starts_with("{\"value\":"));
  CHECK(second.ends_with(lines_of(3000, 4000)));
}

TEST_CASE("where nobody listens the job fails, naming host and port, after a few attempts") {
  std::uint16_t port = 0;
  {
    const server gone;
    port = gone.port();
  }
  const auto writer = to_tcp{.port = port, .retries = 2, .retry_after = 1ms}.open<int>({.step = "out"});
  CHECK(error_of([&] {
          write_rows(*writer, {1});
          writer->flush();
        }) == "cannot send to 127.0.0.1:" + std::to_string(port) +
                  ": Connection refused, 3 attempts\n  help: start the server there, or raise retries");
  CHECK_THROWS_AS((void)to_tcp{}.open<int>({.step = "out"}), pipeline_error);
}

TEST_CASE("a server that ends each connection at once makes the job fail, too") {
  const server peer{4096};
  std::thread closing{[&] {
    for (int i = 0; i < 3; ++i) (void)peer.read_one(1);
  }};
  const auto writer = to_tcp{.port = peer.port(), .retries = 2, .retry_after = 1ms}.open<std::string>({.step = "out"});
  // More than fits on the way.
  CHECK(error_of([&] { write_rows<std::string>(*writer, {std::string(50'000'000, 'x')}); }).find(", 3 attempts\n") !=
        std::string::npos);
  closing.join();
}

TEST_CASE("a server that starts late is found") {
  std::uint16_t port = 0;
  {
    const server gone;
    port = gone.port();
  }
  const auto writer = to_tcp{.port = port, .retries = 1'000'000, .retry_after = 1ms}.open<int>({.step = "out"});
  std::thread writing{[&] {
    write_rows(*writer, {1});
    writer->close();
  }};
  const auto late = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(late, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(bind(late, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
  REQUIRE(listen(late, 1) == 0);
  const auto peer = accept(late, nullptr, nullptr);
  char text[100];
  CHECK(recv(peer, text, sizeof text, MSG_WAITALL) == static_cast<ssize_t>(lines_of(1, 2).size()));
  close(peer);
  close(late);
  writing.join();
}

TEST_CASE("a cancel ends the wait for a peer that does not read, or is not there") {
  const server peer{4096};
  std::atomic<bool> stop{false};
  sink_context context{.step = "out"};
  context.stop = &stop;
  const auto stuck = to_tcp{.port = peer.port()}.open<std::string>(context);
  std::atomic<bool> sending{false};
  std::thread writing{[&] {
    while (!stop) {
      write_rows<std::string>(*stuck, {std::string(1'000'000, 'x')});
      sending = true;
    }
    stuck->close();
  }};
  const auto accepted = peer.accept();
  while (!sending) std::this_thread::yield();
  stop = true;
  writing.join();
  close(accepted);

  stop = false;
  const auto alone = to_tcp{.port = 1, .retries = 1'000'000, .retry_after = 1h}.open<int>(context);
  std::thread waiting{[&] {
    write_rows(*alone, {1});
    alone->flush();
  }};
  stop = true;
  waiting.join();
}
