#include "actors/sources/tcp_peer.hpp"

#include "messages/errors.hpp"

#include <algorithm>
#include <utility>

namespace spillway::detail {

void no_line_format() {
  throw pipeline_error{
      "nothing says what the lines are that peers send\n  help: .as = sw::csv_lines<row>{}, .as = "
      "sw::json_lines<row>{}, or rows of type std::string"};
}

tcp_peer::tcp_peer(tcp_socket socket, const std::string& address, const record_maker& make, bad_row_port& bad)
    : socket_(std::move(socket)), records_(make("peer " + address + ", line ", bad)), bad_(&bad) {}

tcp_peer::did tcp_peer::read(row_slots& to) {
  // Little for each of many peers, more for a record that takes it.
  constexpr std::size_t chunk = 16 * 1024;
  auto result = did::nothing;
  if (needs_bytes_) {
    const auto n = std::max(chunk, records_->pending());
    const auto got = socket_.receive(records_->room(n), n);
    if (got.closed) {
      records_->cut("is cut off: the connection was closed before its line end came", "send records whole, with their line ends");
      return did::closed;
    }
    if (got.bytes == 0) return did::nothing;
    records_->added(got.bytes);
    bytes_ += got.bytes;
    result = did::some;
  }
  const auto state = records_->read(to);
  needs_bytes_ = state == record_stream::did::needs_bytes;
  if (state == record_stream::did::lost) {
    auto [row, help] = records_->fault();
    row.reason += "; the connection is closed, as it cannot be told where the next one begins";
    bad_->refuse(std::move(row), help);
    return did::closed;
  }
  return state == record_stream::did::more ? did::some : result;
}

}  // namespace spillway::detail
