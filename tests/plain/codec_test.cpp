#include "messages/codec.hpp"

#include "messages/key.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace spillway;
using bytes = std::vector<std::byte>;

namespace {

enum class colour : std::uint8_t { red, green, blue };
enum answer : bool { no, yes };

struct point {
  std::int32_t x = 0, y = 0;
  double weight = 0;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y, weight))

struct gappy {
  std::int8_t small = 0;
  std::int64_t large = 0;
};
BOOST_DESCRIBE_STRUCT(gappy, (), (small, large))

struct switches {
  bool up = false, down = false;
  answer reply = no;
  colour light = colour::red;
};
BOOST_DESCRIBE_STRUCT(switches, (), (up, down, reply, light))

struct part {
  std::string name;
  std::vector<std::string> tags;
  std::optional<double> weight;
};
BOOST_DESCRIBE_STRUCT(part, (), (name, tags, weight))

struct nothing {};
BOOST_DESCRIBE_STRUCT(nothing, (), ())

struct order : gappy {
  part first;
  std::vector<part> more;
  std::vector<point> path;
  bool paid = false;
  colour light = colour::red;
  timestamp placed;
  nothing empty;
  std::vector<nothing> none;
};
BOOST_DESCRIBE_STRUCT(order, (gappy), (first, more, path, paid, light, placed, empty, none))

struct hidden {
  std::uint16_t a = 0, b = 0;
};

}  // namespace

template <>
inline constexpr bool spillway::plain_row<hidden> = true;

namespace {

#define ROW_TYPES                                                                                                             \
  int, bool, answer, std::string, std::optional<std::string>, std::pair<std::string, int>,                                    \
      std::tuple<std::int8_t, std::string, float>, std::tuple<>, timestamp, std::chrono::duration<double, std::milli>, point, \
      gappy, switches, part, nothing, order, hidden, std::vector<std::optional<point>>, std::vector<nothing>

using dice = std::mt19937_64;

template <class T>
T any(dice& r) {
  if constexpr (std::is_same_v<T, bool>) {
    return r() % 2 == 1;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(any<std::underlying_type_t<T>>(r));
  } else if constexpr (detail::scalar<T> || std::is_same_v<T, hidden>) {
    const auto bits = r();
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
  } else if constexpr (std::is_same_v<T, std::string>) {
    std::string text(r() % 4 == 0 ? r() % 40 : r() % 4, ' ');
    for (auto& c : text) c = static_cast<char>(r());
    return text;
  } else if constexpr (detail::optional_like<T>) {
    return r() % 3 == 0 ? T{} : T{any<typename T::value_type>(r)};
  } else if constexpr (detail::list_like<T>) {
    T list;
    for (auto n = r() % 4; n > 0; --n) list.push_back(any<typename T::value_type>(r));
    return list;
  } else {
    T value{};
    detail::for_each_part(value, [&](auto& part) { part = any<std::remove_cvref_t<decltype(part)>>(r); });
    return value;
  }
}

template <class T>
batch_ref<batch_of<T>> any_batch(dice& r, std::size_t rows) {
  auto b = make_batch<T>(nullptr);
  for (std::size_t i = 0; i < rows && !b->full(); ++i) b->push(any<T>(r));
  if (r() % 2 == 0)
    for (std::size_t i = 0; i < b->size(); ++i) b->times.push_back(any<timestamp>(r));
  if (r() % 2 == 0)
    for (std::size_t i = 0; i < b->size(); ++i) b->hashes.push_back(r());
  return b;
}

template <class T>
bytes encoded(const batch_of<T>& b) {
  bytes out;
  encode(b, out);
  return out;
}

template <class T>
bytes any_frame(dice& r, std::size_t rows) {
  return encoded(*any_batch<T>(r, rows));
}

template <class T>
bool equal(const batch_of<T>& a, const batch_of<T>& b) {
  return a.times == b.times && a.hashes == b.hashes &&
         std::ranges::equal(a.rows(), b.rows(), [](const T& x, const T& y) { return same_key(x, y); });
}

/// Whether the decoder refuses `frame`. If it does not, what it gave must encode to the same bytes; all else is an exception.
template <class T>
bool refused(std::span<const std::byte> frame, const std::shared_ptr<batch_pool>& pool = nullptr) {
  auto in = frame;
  try {
    const auto b = decode<T>(in, pool);
    const auto again = encoded(*b);
    REQUIRE(std::ranges::equal(again, frame.first(frame.size() - in.size())));
    return false;
  } catch (const decode_error& e) {
    REQUIRE(in.data() == frame.data());
    REQUIRE(in.size() == frame.size());
    REQUIRE(e.byte() <= frame.size());
    return true;
  }
}

template <class T>
std::string complaint(std::span<const std::byte> frame) {
  try {
    decode<T>(frame, nullptr);
    return "none";
  } catch (const decode_error& e) {
    return e.what();
  }
}

template <class N>
void store(bytes& frame, std::size_t at, N value) {
  std::memcpy(frame.data() + at, &value, sizeof value);
}

/// Makes length and checksum right for whatever is between head and checksum.
void reseal(bytes& frame) {
  store(frame, 8, static_cast<std::uint32_t>(frame.size() - 32));
  store(frame, frame.size() - 8, hash_bytes(frame.data(), frame.size() - 8));
}

/// A frame of one row of `T` with the payload `payload`.
template <class T>
bytes forged(std::initializer_list<int> payload) {
  bytes frame(24);
  store(frame, 0, 0x574c5053);
  store(frame, 4, std::uint16_t{1});
  store(frame, 12, 1);
  store(frame, 16, schema_fingerprint<T>());
  for (auto b : payload) frame.push_back(static_cast<std::byte>(b));
  frame.resize(frame.size() + 8);
  reseal(frame);
  return frame;
}

void change_payload(bytes& frame, dice& r) {
  constexpr unsigned char likely[] = {0, 1, 2, 7, 0x7f, 0x80, 0xff};
  for (auto n = 1 + r() % 4; n > 0 && frame.size() > 32; --n) {
    auto& byte = frame[24 + r() % (frame.size() - 32)];
    byte = static_cast<std::byte>(r() % 2 == 0 ? likely[r() % 7] : r());
  }
  if (r() % 4 == 0) frame.insert(frame.begin() + 24 + r() % (frame.size() - 31), static_cast<std::byte>(r() % 3));
  if (r() % 4 == 0 && frame.size() > 32) frame.erase(frame.begin() + 24 + r() % (frame.size() - 32));
  if (r() % 8 == 0) store(frame, 12, static_cast<std::uint32_t>(r() % 8));
  if (r() % 16 == 0) store(frame, 6, static_cast<std::uint16_t>(r() % 5));
}

}  // namespace

TEST_CASE_TEMPLATE("rows, times and hashes are the same after a trip as bytes", T, ROW_TYPES) {
  dice r{1};
  const auto pool = std::make_shared<batch_pool>();
  for (int round = 0; round < 300; ++round) {
    const auto first = any_batch<T>(r, r() % 8), second = any_batch<T>(r, r() % 300);
    auto stream = encoded(*first);
    const auto border = stream.size();
    encode(*second, stream);
    REQUIRE(frame_size(stream) == border);

    std::span<const std::byte> in{stream};
    REQUIRE(equal(*decode<T>(in, pool), *first));
    REQUIRE(in.size() == stream.size() - border);
    REQUIRE(equal(*decode<T>(in, pool), *second));
    REQUIRE(in.empty());
    REQUIRE_FALSE(refused<T>(stream, pool));
  }
}

TEST_CASE_TEMPLATE("a full batch fits into one frame of at most 256 KiB", T, ROW_TYPES) {
  dice r{2};
  auto b = make_batch<T>(nullptr);
  while (!b->full()) b->push(any<T>(r));
  b->times.resize(b->size());
  b->hashes.resize(b->size());
  const auto frame = encoded(*b);
  CHECK(frame.size() <= 256 * 1024);
  CHECK_FALSE(refused<T>(frame));
}

TEST_CASE_TEMPLATE("a frame that is cut off anywhere is refused", T, ROW_TYPES) {
  dice r{3};
  const auto pool = std::make_shared<batch_pool>();
  for (int round = 0; round < 40; ++round) {
    const auto frame = any_frame<T>(r, 1 + r() % 4);
    for (std::size_t size = 0; size < frame.size(); ++size)
      REQUIRE(refused<T>(bytes(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size)), pool));
  }
}

TEST_CASE_TEMPLATE("a frame with any one bit flipped is refused", T, ROW_TYPES) {
  dice r{4};
  const auto pool = std::make_shared<batch_pool>();
  for (int round = 0; round < 10; ++round) {
    auto frame = any_frame<T>(r, 1 + r() % 3);
    for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
      frame[bit / 8] ^= std::byte{1} << bit % 8;
      REQUIRE(refused<T>(frame, pool));
      frame[bit / 8] ^= std::byte{1} << bit % 8;
    }
  }
}

TEST_CASE_TEMPLATE("random bytes are refused, also behind a proper head", T, ROW_TYPES) {
  dice r{5};
  const auto pool = std::make_shared<batch_pool>();
  const auto head = any_frame<T>(r, 1);
  for (int round = 0; round < 3000; ++round) {
    bytes noise(r() % 200);
    for (auto& b : noise) b = static_cast<std::byte>(r());
    REQUIRE(refused<T>(noise, pool));
    std::copy_n(head.begin(), std::min<std::size_t>(noise.size(), r() % 24), noise.begin());
    REQUIRE(refused<T>(noise, pool));
  }
}

TEST_CASE_TEMPLATE("a forged payload under a right checksum is refused or is a batch", T, ROW_TYPES) {
  dice r{6};
  const auto pool = std::make_shared<batch_pool>();
  int refusals = 0;
  for (int round = 0; round < 4000; ++round) {
    auto frame = any_frame<T>(r, r() % 5);
    change_payload(frame, r);
    reseal(frame);
    refusals += refused<T>(frame, pool);
  }
  CHECK(refusals > 0);
  CHECK(refusals < 4000);
}

TEST_CASE_TEMPLATE("a value is the same after a trip as bytes, and refused when cut off", T, ROW_TYPES) {
  dice r{7};
  for (int round = 0; round < 300; ++round) {
    const auto value = any<T>(r);
    bytes out(3);
    encode_value(value, out);
    encode_value(value, out);
    auto in = std::span<const std::byte>{out}.subspan(3);
    REQUIRE(same_key(decode_value<T>(in), value));
    REQUIRE(same_key(decode_value<T>(in), value));
    REQUIRE(in.empty());
    const auto half = (out.size() - 3) / 2;
    for (std::size_t size = 0; size < half; ++size) {
      const bytes part(out.begin() + 3, out.begin() + 3 + static_cast<std::ptrdiff_t>(size));
      in = part;
      REQUIRE_THROWS_AS(decode_value<T>(in), decode_error);
      REQUIRE(in.size() == size);
    }
  }
}

namespace {

template <class T, class... Us>
void check_only_own_type_reads() {
  dice r{8};
  const auto frame = any_frame<T>(r, 2);
  CHECK(((!refused<Us>(frame)) + ...) == 1);
}

template <class... Ts>
void check_all_types_differ() {
  CHECK(std::set<std::uint64_t>{schema_fingerprint<Ts>()...}.size() == sizeof...(Ts));
  (check_only_own_type_reads<Ts, Ts...>(), ...);
}

namespace renamed {
struct point {
  std::int32_t x = 0, z = 0;
  double weight = 0;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, z, weight))
}  // namespace renamed

namespace moved {
struct point {
  std::int32_t y = 0, x = 0;
  double weight = 0;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y, weight))
}  // namespace moved

namespace other_name {
struct spot {
  std::int32_t x = 0, y = 0;
  double weight = 0;
};
BOOST_DESCRIBE_STRUCT(spot, (), (x, y, weight))
}  // namespace other_name

}  // namespace

TEST_CASE("a frame is read by its own row type and by no other") {
  check_all_types_differ<ROW_TYPES, std::uint32_t, std::int64_t, float, colour, std::vector<std::string>, std::vector<int>,
                         std::tuple<std::string, int, int>, std::chrono::seconds, std::chrono::milliseconds, renamed::point,
                         moved::point>();
}

TEST_CASE("the name of a struct may change, the names of its members not") {
  CHECK(schema_fingerprint<point>() == schema_fingerprint<other_name::spot>());
  CHECK(schema_fingerprint<point>() != schema_fingerprint<renamed::point>());
  CHECK(schema_fingerprint<point>() != schema_fingerprint<moved::point>());
}

TEST_CASE("only rows whose every byte is valid are copied whole") {
  CHECK(detail::copied_whole<point>());
  CHECK(detail::copied_whole<hidden>());
  CHECK(detail::copied_whole<colour>());
  CHECK(detail::copied_whole<timestamp>());
  CHECK_FALSE(detail::copied_whole<bool>());
  CHECK_FALSE(detail::copied_whole<answer>());
  CHECK_FALSE(detail::copied_whole<switches>());
  CHECK_FALSE(detail::copied_whole<gappy>());
  CHECK_FALSE(detail::copied_whole<std::optional<int>>());
}

TEST_CASE("a bool from outside is 0 or 1, wherever it stands") {
  CHECK(complaint<bool>(forged<bool>({1})) == "none");
  CHECK(complaint<bool>(forged<bool>({7})) == "byte 24: bool is neither 0 nor 1");
  CHECK(complaint<answer>(forged<answer>({2})) == "byte 24: bool is neither 0 nor 1");
  CHECK(complaint<switches>(forged<switches>({1, 0, 1, 255})) == "none");
  CHECK(complaint<switches>(forged<switches>({1, 7, 1, 0})) == "byte 25: bool is neither 0 nor 1");
  CHECK(complaint<switches>(forged<switches>({1, 0, 128, 0})) == "byte 26: bool is neither 0 nor 1");
  using mark = std::optional<std::string>;
  CHECK(complaint<mark>(forged<mark>({2, 0, 0, 0, 0})) == "byte 24: mark of an optional is neither 0 nor 1");
  CHECK(complaint<nothing>(forged<nothing>({0})) == "none");
  CHECK(complaint<nothing>(forged<nothing>({1})) == "byte 24: an empty struct that is not a zero byte");
}

TEST_CASE("a length from outside is compared with the bytes that are left before anything is allocated") {
  CHECK(complaint<std::string>(forged<std::string>({255, 255, 255, 255, 'a'})) ==
        "byte 28: text of at least 4294967295 bytes, but 1 are left");
  using points = std::vector<std::optional<point>>;
  CHECK(complaint<points>(forged<points>({255, 255, 255, 255, 0, 0})) ==
        "byte 28: list of at least 4294967295 bytes, but 2 are left");
  using numbers = std::vector<std::int64_t>;
  CHECK(complaint<numbers>(forged<numbers>({2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})) ==
        "byte 28: list of at least 16 bytes, but 8 are left");
  using nothings = std::vector<nothing>;
  CHECK(complaint<nothings>(forged<nothings>({255, 255, 255, 127, 0})) ==
        "byte 28: list of at least 2147483647 bytes, but 1 are left");
  CHECK(complaint<nothings>(forged<nothings>({1, 0, 0, 0, 0, 0})) == "byte 29: 1 bytes are left over after the last row");
}

TEST_CASE("each part of a head is checked") {
  const auto good = forged<int>({1, 2, 3, 4});
  const auto with = [&](std::size_t at, auto value) {
    auto frame = good;
    store(frame, at, value);
    store(frame, frame.size() - 8, hash_bytes(frame.data(), frame.size() - 8));
    return complaint<int>(frame);
  };
  CHECK(complaint<int>(good) == "none");
  CHECK(complaint<int>(bytes(23)) == "byte 23: a frame is cut off in its head of 24 bytes");
  CHECK(with(0, 1) == "byte 0: no frame starts here");
  CHECK(with(4, std::uint16_t{2}) == "byte 4: a frame of version 2, but only 1 is known");
  CHECK(with(6, std::uint16_t{4}) == "byte 6: flags 4 mean nothing here");
  CHECK(with(6, std::uint16_t{1}) == "byte 24: event times of at least 8 bytes, but 4 are left");
  CHECK(with(8, 0xffffffffU) == "byte 36: a frame of 4294967327 bytes is cut off");
  CHECK(with(12, 4097U) == "byte 12: 4097 rows, but a batch has at most 4096");
  CHECK(with(12, 0U) == "byte 24: 4 bytes are left over after the last row");
  CHECK(with(16, schema_fingerprint<float>()) == "byte 16: the rows are of another type");
  auto damaged = good;
  damaged[25] ^= std::byte{1};
  CHECK(complaint<int>(damaged) == "byte 28: the checksum does not fit: the frame is damaged");
}

TEST_CASE("rows of which only some have a time are not encoded") {
  auto b = make_batch<int>(nullptr);
  b->push(1, timestamp{});
  b->push(2);
  bytes out(5);
  CHECK_THROWS_AS(encode(*b, out), std::logic_error);
  CHECK(out == bytes(5));
}

TEST_CASE("a reused buffer keeps nothing of its former rows") {
  dice r{9};
  const auto pool = std::make_shared<batch_pool>(1);
  const auto large = any_frame<order>(r, 20);
  auto b = make_batch<order>(nullptr);
  b->push(order{});
  const auto small = encoded(*b);
  for (const auto& frame : std::vector{large, small, large}) CHECK_FALSE(refused<order>(frame, pool));
}

TEST_CASE("the bytes of a frame are the same in every build") {
  auto points = make_batch<point>(nullptr);
  points->push(point{1, -2, 0.5}, timestamp{std::chrono::microseconds{7}});
  auto parts = make_batch<part>(nullptr);
  parts->push(part{"ab", {"", "c"}, 2.0});
  parts->hashes.push_back(0x0102030405060708);
  const auto hex = [](const bytes& frame) {
    std::string text;
    for (auto b : frame) text += {"0123456789abcdef"[static_cast<int>(b) >> 4], "0123456789abcdef"[static_cast<int>(b) & 15]};
    return text;
  };
  CHECK(hex(encoded(*points)) ==
        "53504c57010001001800000001000000cee7bc787c560707070000000000000001000000feffffff000000000000e03fce4c1304b54e0abb");
  CHECK(hex(encoded(*parts)) ==
        "53504c5701000200240000000100000048b5392983b9292e080706050403020102000000616202000000000000000100000063010000000000000040"
        "4a146ce1d5e6ba9a");
}
