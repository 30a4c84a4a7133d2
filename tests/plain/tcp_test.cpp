#include "actors/sources/tcp.hpp"

#include "messages/errors.hpp"
#include "tests/plain/tail_rig.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <optional>

using namespace spillway;
using namespace spillway::tests;
using namespace std::chrono_literals;
using texts = std::vector<std::string>;

namespace {

struct trade {
  int id = 0;
  std::string text;
  friend bool operator==(const trade&, const trade&) = default;
};
BOOST_DESCRIBE_STRUCT(trade, (), (id, text))

using trades = std::vector<trade>;

struct hand_clock final : job_clock {
  std::chrono::steady_clock::time_point time{};
  std::chrono::steady_clock::time_point now() const override { return time; }
};

sockaddr_in address_of(int port) {
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons(static_cast<std::uint16_t>(port));
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return a;
}

int port_of(const std::string& address) { return std::stoi(address.substr(address.rfind(':') + 1)); }

/// A socket that blocks, at the other end.
class peer {
 public:
  explicit peer(int fd) : fd_(fd) { REQUIRE(fd_ >= 0); }
  peer(const peer&) = delete;
  peer(peer&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
  ~peer() { hang_up(); }

  static peer to(const std::string& address) {
    peer p{socket(AF_INET, SOCK_STREAM, 0)};
    const auto a = address_of(port_of(address));
    REQUIRE(connect(p.fd_, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0);
    return p;
  }

  void say(std::string_view text) const {
    REQUIRE(send(fd_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
  }
  /// False if the other side does not take it now.
  bool try_to_say(std::string_view text) const { return send(fd_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) > 0; }
  /// True if the other side has closed.
  bool is_alone() const {
    char c;
    return recv(fd_, &c, 1, 0) <= 0;
  }
  void hang_up() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

/// Listens at a port of its own.
class listener {
 public:
  explicit listener(int port = 0) {
    const int yes = 1;
    setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    auto a = address_of(port);
    REQUIRE(bind(fd_, reinterpret_cast<sockaddr*>(&a), sizeof a) == 0);
    REQUIRE(listen(fd_, 8) == 0);
    socklen_t size = sizeof a;
    getsockname(fd_, reinterpret_cast<sockaddr*>(&a), &size);
    port_ = ntohs(a.sin_port);
  }
  ~listener() { close(fd_); }

  int port() const { return port_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  peer accept() const { return peer{::accept(fd_, nullptr, nullptr)}; }

 private:
  int fd_ = socket(AF_INET, SOCK_STREAM, 0);
  int port_ = 0;
};

template <class Source>
class reading : public follower<Source> {
 public:
  using follower<Source>::follower;

  /// Reads until there are so many rows.
  auto& until(std::size_t rows) {
    while (this->rows.size() < rows) REQUIRE(this->step() != read_result::kind::end);
    return this->rows;
  }
  /// Reads until there are so many bad rows.
  texts& until_bad(std::size_t rows) {
    while (this->bad.rows.size() < rows) REQUIRE(this->step() != read_result::kind::end);
    return this->bad.rows;
  }
  auto& to_end() {
    while (this->step() != read_result::kind::end) continue;
    return this->rows;
  }
};

/// A server at a port that is free, and where it is.
template <class T, boundedness Bounds = unbounded>
struct server {
  explicit server(line_format<T> as = {}, std::size_t max_peers = 1024)
      : reader(tcp_server<T, Bounds>{
            .address = ":0", .as = std::move(as), .max_peers = max_peers, .listening = [this](const auto& a) { address = a; }}) {}
  std::string address;
  reading<tcp_server<T, Bounds>> reader;
};

}  // namespace

TEST_CASE("a peer that sends byte by byte gives whole lines") {
  server<trade> s{csv_lines<trade>{}};
  CHECK(s.address.starts_with("127.0.0.1:"));
  auto p = peer::to(s.address);
  const std::string text = "1,a\r\n2,\"b\nb\"\n\n3,c\n";
  for (const char c : text) {
    p.say({&c, 1});
    s.reader.step();
  }
  CHECK(s.reader.until(3) == trades{{1, "a"}, {2, "b\nb"}, {3, "c"}});
  CHECK(s.reader.reader->progress().done == text.size());
  CHECK(s.reader.reader->position().empty());
}

TEST_CASE("the columns of CSV lines may be named, and lines may be JSON") {
  server<trade> s{csv_lines<trade>{.names = {"what", "text", "id"}, .delimiter = ';'}};
  peer::to(s.address).say("x;a;1\n");
  CHECK(s.reader.until(1) == trades{{1, "a"}});
  server<trade> j{json_lines<trade>{}};
  peer::to(j.address).say("{\"text\":\"a\",\"id\":1}\n{\"id\":2}\n{\"id\":3,\"text\":\"c\"}\n");
  CHECK(j.reader.until(2) == trades{{1, "a"}, {3, "c"}});
  REQUIRE(j.reader.bad.rows.size() == 1);
  CHECK(j.reader.bad.rows[0].find(", line 2, field 'text': ") != std::string::npos);
}

TEST_CASE("the lines of many peers stay whole and in order, and all peers come to their turn") {
  constexpr int count = 40, each = 300;
  server<std::string, bounded> s;
  std::vector<peer> peers;
  for (int i = 0; i < count; ++i) {
    peers.push_back(peer::to(s.address));
    s.reader.step();
  }
  for (int line = 0; line < each; ++line)
    for (int i = 0; i < count; ++i) {
      const auto text = std::to_string(i) + ' ' + std::to_string(line) + '\n';
      const auto half = text.size() / 2;
      peers[static_cast<std::size_t>(i)].say(text.substr(0, half));
      if (line % 50 == 0) s.reader.step();
      peers[static_cast<std::size_t>(i)].say(text.substr(half));
    }
  peers.clear();
  const auto& rows = s.reader.to_end();
  REQUIRE(rows.size() == count * each);
  std::map<std::string, int> next;
  for (const auto& row : rows) {
    const auto space = row.find(' ');
    REQUIRE(std::stoi(row.substr(space)) == next[row.substr(0, space)]++);
  }
}

TEST_CASE("a peer that never ends a line is told as one bad row, and others are read") {
  server<std::string> s{text_lines{.max_record = 1000}};
  auto endless = peer::to(s.address), other = peer::to(s.address);
  for (int i = 0; i < 100; ++i) {
    endless.say(std::string(1000, 'x'));
    s.reader.step();
  }
  other.say("a\n");
  CHECK(s.reader.until(1) == texts{"a"});
  endless.say("\nb\n");
  CHECK(s.reader.until(2) == texts{"a", "b"});
  REQUIRE(s.reader.bad.rows.size() == 1);
  CHECK(s.reader.bad.rows[0].ends_with("is longer than 1000 bytes"));
}

TEST_CASE("a peer whose quote stays open for too long is hung up on, and others are read") {
  server<trade> s{csv_lines<trade>{.max_record = 100}};
  auto bad = peer::to(s.address), good = peer::to(s.address);
  bad.say("1,\"" + std::string(200, 'x') + '\n');
  CHECK(s.reader.until_bad(1)[0].find(", line 1: ") != std::string::npos);
  CHECK(bad.is_alone());
  good.say("2,b\n");
  CHECK(s.reader.until(1) == trades{{2, "b"}});
}

TEST_CASE("a line that was cut off is a bad row with its peer and line") {
  server<trade, bounded> s{csv_lines<trade>{}};
  auto p = peer::to(s.address);
  p.say("1,a\n2,b");
  p.hang_up();
  CHECK(s.reader.to_end() == trades{{1, "a"}});
  REQUIRE(s.reader.bad.rows.size() == 1);
  CHECK(s.reader.bad.rows[0].starts_with("peer 127.0.0.1:"));
  CHECK(s.reader.bad.rows[0].ends_with(", line 2: \"2,b\" is cut off: the connection was closed before its line end came"));
}

TEST_CASE("a server lets no more peers in than it may, and the next when one has gone") {
  server<std::string> s{{}, 1};
  auto first = peer::to(s.address);
  first.say("a\n");
  s.reader.until(1);
  auto second = peer::to(s.address);
  second.say("b\n");
  s.reader.step();
  CHECK(s.reader.rows == texts{"a"});
  first.hang_up();
  CHECK(s.reader.until(2) == texts{"a", "b"});
}

TEST_CASE("a reader that does not read holds its peer back") {
  server<std::string> s;
  auto p = peer::to(s.address);
  const std::string line = std::string(9999, 'x') + '\n';
  std::size_t said = 0;
  while (p.try_to_say(line) && said < 100'000) ++said;
  REQUIRE(said < 100'000);
  s.reader.until(said - 1);
  CHECK(p.try_to_say(line));
}

TEST_CASE("a client reads to the end of the connection") {
  const listener l;
  reading<tcp_client<trade, bounded>> c{tcp_client<trade, bounded>{.address = l.address(), .as = csv_lines<trade>{}}};
  c.step();
  auto p = l.accept();
  p.say("1,a\n2,");
  c.until(1);
  p.say("b\n");
  p.hang_up();
  CHECK(c.to_end() == trades{{1, "a"}, {2, "b"}});
}

TEST_CASE("a client without end connects again when the peer has closed, after a pause") {
  hand_clock clock;
  const listener l;
  const tcp_client<std::string> source{.address = l.address()};
  reading<tcp_client<std::string>> c{source};
  c.reader = source.open({.step = "", .clock = &clock, .bad = &c.bad});
  std::optional<peer> p;
  const auto connect = [&] {
    c.step();
    p.emplace(l.accept());
  };
  const auto pause = [&] {
    batch_of<std::string> batch;
    for (;;)
      if (const auto r = c.reader->read(batch); r.state == read_result::kind::wait) return r.wait_for;
  };
  connect();
  p->say("a\n");
  c.until(1);
  p.reset();
  CHECK(pause() == 100ms);
  clock.time += 99ms;
  CHECK(pause() == 1ms);
  clock.time += 1ms;
  connect();
  p.reset();
  CHECK(pause() == 200ms);
  clock.time += 200ms;
  connect();
  p->say("b\n");
  CHECK(c.until(2) == texts{"a", "b"});
  p.reset();
  CHECK(pause() == 100ms);
}

TEST_CASE("a client gives up after so many attempts, naming the address") {
  hand_clock clock;
  std::string address;
  int port = 0;
  {
    const listener gone;
    address = gone.address();
    port = gone.port();
  }
  const tcp_client<std::string> source{.address = address, .retries = {.attempts = 4}};
  auto reader = source.open({.step = "", .clock = &clock});
  std::vector<std::chrono::microseconds> pauses;
  const auto read_on = [&] {
    for (;;) {
      batch_of<std::string> batch;
      const auto r = reader->read(batch);
      if (r.state == read_result::kind::wait) {
        pauses.push_back(r.wait_for);
        clock.time += r.wait_for;
      }
    }
  };
  CHECK_THROWS_WITH_AS(read_on(),
                       ("cannot connect to '" + address +
                        "', tried 4 times: Connection refused\n  help: start what listens there, or raise .retries.attempts")
                           .c_str(),
                       data_error);
  CHECK(pauses == std::vector<std::chrono::microseconds>{100ms, 200ms, 400ms});

  reading<tcp_client<std::string>> late{source};
  late.reader = source.open({.step = "", .clock = &clock});
  batch_of<std::string> batch;
  while (late.reader->read(batch).state != read_result::kind::wait) continue;
  const listener back{port};
  clock.time += 1s;
  late.step();
  back.accept().say("a\n");
  CHECK(late.until(1) == texts{"a"});
}

TEST_CASE("an address that is none, one in use, and lines of unknown form are told") {
  for (const auto* text : {"", "host", "host:", "host:x", "host:70000", "::1:9000", ":9000:"})
    CHECK_THROWS_AS((tcp_client<std::string>{.address = text}.check()), pipeline_error);
  for (const auto* text : {"host:9000", ":9000", "[::1]:9000", "10.0.0.1:0"}) tcp_server<std::string>{.address = text}.check();
  CHECK_THROWS_AS((tcp_server<trade>{.address = ":0"}.check()), pipeline_error);
  CHECK_THROWS_AS((tcp_server<trade>{.address = ":0", .as = csv_lines<trade>{.names = {"id"}}}.check()), data_error);
  CHECK_THROWS_AS((tcp_client<std::string>{.address = ":1", .retries = {.attempts = 0}}.check()), pipeline_error);
  const listener taken;
  CHECK_THROWS_WITH_AS((void)(tcp_server<std::string>{.address = taken.address()}.open({.step = ""})),
                       ("cannot listen at '" + taken.address() +
                        "': Address already in use\n  help: end what listens there, or choose another port")
                           .c_str(),
                       data_error);
}
