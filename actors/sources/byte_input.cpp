#include "actors/sources/byte_input.hpp"

#include "actors/sources/decoder.hpp"
#include "actors/sources/input_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace spillway::detail {
namespace {

class plain_input final : public byte_input {
 public:
  explicit plain_input(const std::string& path) : file_(path) {}

  std::optional<std::size_t> read(char* to, std::size_t n) override { return file_.read(to, n); }
  void go_to(std::uint64_t offset) override { file_.go_to(offset); }
  bool can_go() const override { return file_.size().has_value(); }
  std::uint64_t bytes_taken() const override { return file_.offset(); }
  std::uint64_t inode() const override { return file_.inode(); }

 private:
  input_file file_;
};

class decoded_input final : public byte_input {
 public:
  using make_decoder = std::unique_ptr<decoder> (*)();

  decoded_input(const std::string& path, make_decoder make) : file_(path), make_(make), decoder_(make()) {}

  std::optional<std::size_t> read(char* to, std::size_t n) override {
    for (;;) {
      if (from_ < bytes_.size() || holds_text_) {
        const auto did = decode({to, n});
        from_ += did.taken;
        offset_ += did.given;
        holds_text_ = did.given == n;
        if (did.given > 0) return did.given;
        continue;
      }
      const auto more = fill();
      if (!more || (*more == 0 && decoder_->may_end())) return more;
      if (*more == 0) fail("it is cut off: the compressed data ends too early");
    }
  }

  void go_to(std::uint64_t offset) override {
    if (offset < offset_) start_again();
    std::vector<char> skipped(std::min<std::uint64_t>(offset - offset_, chunk));
    while (offset_ < offset) {
      const auto got = read(skipped.data(), std::min<std::uint64_t>(offset - offset_, skipped.size()));
      if (got && *got == 0) fail("its text has only " + std::to_string(offset_) + " bytes and was longer before");
    }
  }
  bool can_go() const override { return file_.size().has_value(); }
  std::uint64_t bytes_taken() const override { return file_.offset(); }
  std::uint64_t inode() const override { return file_.inode(); }

 private:
  static constexpr std::size_t chunk = 128 * 1024;

  decoder::step decode(std::span<char> to) {
    try {
      return decoder_->decode(std::span<const char>{bytes_}.subspan(from_), to);
    } catch (const std::runtime_error& e) {
      fail(e.what());
    }
  }

  std::optional<std::size_t> fill() {
    bytes_.resize(chunk);
    const auto got = file_.read(bytes_.data(), bytes_.size());
    bytes_.resize(got.value_or(0));
    from_ = 0;
    return got;
  }

  void start_again() {
    file_.go_to(0);
    decoder_ = make_();
    bytes_.clear();
    from_ = 0;
    offset_ = 0;
    holds_text_ = false;
  }

  [[noreturn]] void fail(const std::string& cause) const {
    input_file::cannot_read(file_.path(), cause, "make or copy the file anew");
  }

  input_file file_;
  make_decoder make_;
  std::unique_ptr<decoder> decoder_;
  std::vector<char> bytes_;
  std::size_t from_ = 0;
  std::uint64_t offset_ = 0;
  /// The decoder may have more text without more bytes.
  bool holds_text_ = false;
};

}  // namespace

bool is_compressed(const std::string& path) { return path.ends_with(".gz") || path.ends_with(".zst"); }

std::unique_ptr<byte_input> open_bytes(const std::string& path) {
  if (path.ends_with(".gz")) return std::make_unique<decoded_input>(path, &gzip_decoder);
  if (path.ends_with(".zst")) return std::make_unique<decoded_input>(path, &zstd_decoder);
  return std::make_unique<plain_input>(path);
}

}  // namespace spillway::detail
