// Feeds the decoder bytes as they are, and once more as the payload of a frame whose head and checksum are right, so that the
// decoding of rows is reached too. What is not refused must encode to the same bytes.
#include "messages/codec.hpp"
#include "messages/key.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

using namespace spillway;

namespace {

enum class colour : std::uint8_t { red, green, blue };

struct point {
  std::int32_t x = 0, y = 0;
  double weight = 0;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y, weight))

struct part {
  std::string name;
  std::vector<std::string> tags;
  std::optional<double> weight;
};
BOOST_DESCRIBE_STRUCT(part, (), (name, tags, weight))

struct order {
  std::int64_t id = 0;
  bool paid = false;
  colour light = colour::red;
  timestamp placed;
  std::vector<part> parts;
  std::vector<std::optional<point>> path;
  std::vector<no_key> none;
};
BOOST_DESCRIBE_STRUCT(order, (), (id, paid, light, placed, parts, path, none))

using bytes = std::vector<std::byte>;

template <class T>
void decode_and_compare(std::span<const std::byte> frame) {
  static const auto pool = std::make_shared<batch_pool>();
  auto in = frame;
  try {
    const auto batch = decode<T>(in, pool);
    bytes again;
    encode(*batch, again);
    if (!std::ranges::equal(again, frame.first(frame.size() - in.size()))) std::abort();
  } catch (const decode_error&) {
    if (in.data() != frame.data()) std::abort();
  }
}

template <class T>
void try_type(std::span<const std::byte> data, std::uint32_t rows, std::uint16_t flags) {
  decode_and_compare<T>(data);
  bytes frame;
  auto* payload =
      detail::begin_frame(frame, {.schema = schema_fingerprint<T>(), .rows = rows, .payload = data.size(), .flags = flags});
  const detail::frame head{.payload = data.size()};
  std::ranges::copy(data, payload);
  detail::seal_frame(payload + data.size(), head);
  decode_and_compare<T>(frame);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const auto rest = std::as_bytes(std::span{data, size}.subspan(3));
  const std::uint32_t rows = data[1];
  const std::uint16_t flags = data[2];
  switch (data[0] % 7) {
    case 0:
      try_type<bool>(rest, rows, flags);
      break;
    case 1:
      try_type<std::string>(rest, rows, flags);
      break;
    case 2:
      try_type<std::optional<std::string>>(rest, rows, flags);
      break;
    case 3:
      try_type<std::tuple<std::int8_t, std::string, float>>(rest, rows, flags);
      break;
    case 4:
      try_type<point>(rest, rows, flags);
      break;
    case 5:
      try_type<std::vector<std::vector<std::string>>>(rest, rows, flags);
      break;
    default:
      try_type<order>(rest, rows, flags);
  }
  return 0;
}
