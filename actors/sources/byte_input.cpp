#include "actors/sources/byte_input.hpp"

#include "actors/sources/input_file.hpp"

namespace spillway::detail {
namespace {

class plain_input final : public byte_input {
 public:
  explicit plain_input(const std::string& path) : file_(path) {}

  std::optional<std::size_t> read(char* to, std::size_t n) override {
    const auto got = file_.read(to, n);
    taken_ += got;
    return got;
  }
  void go_to(std::uint64_t offset) override { file_.go_to(offset); }
  bool can_go() const override { return file_.size().has_value(); }
  std::uint64_t bytes_taken() const override { return taken_; }
  std::uint64_t inode() const override { return 0; }

 private:
  input_file file_;
  std::uint64_t taken_ = 0;
};

}  // namespace

std::unique_ptr<byte_input> open_bytes(const std::string& path) { return std::make_unique<plain_input>(path); }

bool is_compressed(const std::string&) { return false; }

}  // namespace spillway::detail
