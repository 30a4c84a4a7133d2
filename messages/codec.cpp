#include "messages/codec.hpp"

#include "messages/key.hpp"

#include <limits>

namespace spillway {

namespace {

constexpr std::uint32_t magic = 0x574c5053;  // "SPLW"
constexpr std::uint16_t version = 1;

constexpr std::size_t version_at = 4, flags_at = 6, payload_at = 8, rows_at = 12, schema_at = 16;

template <class T>
T load(std::span<const std::byte> in, std::size_t at) noexcept {
  T value;
  std::memcpy(&value, in.data() + at, sizeof(T));
  return value;
}

std::string text(std::size_t n) { return std::to_string(n); }

}  // namespace

decode_error::decode_error(const std::string& what, std::size_t byte)
    : std::runtime_error("byte " + text(byte) + ": " + what), byte_(byte) {}

std::size_t frame_size(std::span<const std::byte> head) {
  if (head.size() < frame_head_bytes)
    throw decode_error("a frame is cut off in its head of " + text(frame_head_bytes) + " bytes", head.size());
  if (load<std::uint32_t>(head, 0) != magic) throw decode_error("no frame starts here", 0);
  if (const auto v = load<std::uint16_t>(head, version_at); v != version)
    throw decode_error("a frame of version " + text(v) + ", but only " + text(version) + " is known", version_at);
  return frame_head_bytes + load<std::uint32_t>(head, payload_at) + detail::checksum_bytes;
}

namespace detail {

std::uint64_t hash_schema(const std::string& schema) noexcept { return hash_bytes(schema.data(), schema.size()); }

void byte_reader::expect_end() const {
  if (left() != 0) throw decode_error(text(left()) + " bytes are left over after the last row", byte());
}

void byte_reader::fail_short(std::size_t wanted, const char* what) const {
  throw decode_error(std::string{what} + " of at least " + text(wanted) + " bytes, but " + text(left()) + " are left", byte());
}

void byte_reader::fail_flag(const char* what) const { throw decode_error(std::string{what} + " is neither 0 nor 1", byte() - 1); }

std::byte* make_room(std::vector<std::byte>& out, std::size_t bytes) {
  if (bytes > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("rows of more than 4 GiB cannot be encoded");
  const auto at = out.size();
  out.resize(at + bytes);
  return out.data() + at;
}

std::byte* begin_frame(std::vector<std::byte>& out, const frame& f) {
  auto* to = make_room(out, frame_head_bytes + f.payload + checksum_bytes);
  to = put(put(put(to, magic), version), f.flags);
  to = put(put(to, static_cast<std::uint32_t>(f.payload)), static_cast<std::uint32_t>(f.rows));
  return put(to, f.schema);
}

void seal_frame(std::byte* end, const frame& f) noexcept {
  const auto size = frame_head_bytes + f.payload;
  put(end, hash_bytes(end - size, size));
}

frame open_frame(std::span<const std::byte> in, std::uint64_t schema, std::size_t capacity) {
  const auto size = frame_size(in);
  if (in.size() < size) throw decode_error("a frame of " + text(size) + " bytes is cut off", in.size());
  const auto sealed = size - checksum_bytes;
  if (load<std::uint64_t>(in, sealed) != hash_bytes(in.data(), sealed))
    throw decode_error("the checksum does not fit: the frame is damaged", sealed);

  frame f;
  f.schema = load<std::uint64_t>(in, schema_at);
  f.rows = load<std::uint32_t>(in, rows_at);
  f.payload = load<std::uint32_t>(in, payload_at);
  f.flags = load<std::uint16_t>(in, flags_at);
  if (f.schema != schema) throw decode_error("the rows are of another type", schema_at);
  if (f.rows > capacity) throw decode_error(text(f.rows) + " rows, but a batch has at most " + text(capacity), rows_at);
  if ((f.flags & ~(with_times | with_hashes)) != 0 || (f.rows == 0 && f.flags != 0))
    throw decode_error("flags " + text(f.flags) + " mean nothing here", flags_at);
  return f;
}

void check_one_each(std::size_t found, std::size_t rows, const char* what) {
  if (found != 0 && found != rows)
    throw std::logic_error(text(rows) + " rows in a batch, but " + text(found) + " times a " + what);
}

}  // namespace detail
}  // namespace spillway
