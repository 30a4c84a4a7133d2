#include "actors/sources/decoder.hpp"

#include <zstd.h>

#include <stdexcept>
#include <string>

namespace spillway::detail {
namespace {

struct free_stream {
  void operator()(ZSTD_DStream* s) const { ZSTD_freeDStream(s); }
};

class zstd final : public decoder {
 public:
  zstd() : stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::runtime_error{"there is no memory to decompress it"};
  }

  step decode(std::span<const char> in, std::span<char> to) override {
    if (between_ && in.empty()) return {};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    const auto left = ZSTD_decompressStream(stream_.get(), &out, &from);
    if (ZSTD_isError(left)) throw std::runtime_error{std::string{"it is damaged: "} + ZSTD_getErrorName(left)};
    between_ = left == 0;
    return {from.pos, out.pos};
  }

  bool may_end() const override { return between_; }

 private:
  std::unique_ptr<ZSTD_DStream, free_stream> stream_;
  bool between_ = true;
};

}  // namespace

std::unique_ptr<decoder> zstd_decoder() { return std::make_unique<zstd>(); }

}  // namespace spillway::detail
