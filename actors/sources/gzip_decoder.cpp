#include "actors/sources/decoder.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace spillway::detail {
namespace {

/// What zlib takes at once.
uInt at_most(std::size_t n) { return static_cast<uInt>(std::min<std::size_t>(n, std::numeric_limits<uInt>::max())); }

class gzip final : public decoder {
 public:
  gzip() {
    constexpr int largest_window_of_gzip = 15 + 16;
    if (inflateInit2(&stream_, largest_window_of_gzip) != Z_OK) throw std::runtime_error{"there is no memory to decompress it"};
  }
  gzip(const gzip&) = delete;
  gzip& operator=(const gzip&) = delete;
  ~gzip() override { inflateEnd(&stream_); }

  step decode(std::span<const char> in, std::span<char> to) override {
    if (between_ && in.empty()) return {};
    if (between_) inflateReset(&stream_);
    between_ = false;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = at_most(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(to.data());
    stream_.avail_out = at_most(to.size());
    const auto did = inflate(&stream_, Z_NO_FLUSH);
    if (did == Z_STREAM_END)
      between_ = true;
    else if (did != Z_OK && did != Z_BUF_ERROR)
      throw std::runtime_error{std::string{"it is damaged: "} + (stream_.msg ? stream_.msg : "no gzip data")};
    return {at_most(in.size()) - stream_.avail_in, at_most(to.size()) - stream_.avail_out};
  }

  bool may_end() const override { return between_; }

 private:
  z_stream stream_{};
  bool between_ = true;
};

}  // namespace

std::unique_ptr<decoder> gzip_decoder() { return std::make_unique<gzip>(); }

}  // namespace spillway::detail
