#include "actors/sources/json_index.hpp"

#include <simdjson.h>

#include <algorithm>

namespace spillway::detail {

static_assert(json_index::padding >= simdjson::SIMDJSON_PADDING);

struct json_index::impl {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
  /// Of nothing: where it ends.
  std::uint32_t none = 0;
};

json_index::json_index() : impl_(std::make_unique<impl>()) {}
json_index::~json_index() = default;

json_index::found json_index::build(const char* bytes, std::size_t size) {
  auto& stage = impl_->stage;
  // Its depth is for another stage than the one used here.
  constexpr std::size_t least = 64 * 1024, depth = 1;
  if (!stage) {
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(std::max(size, least), depth, stage))
      return found::failed;
  } else if (stage->capacity() < size) {
    if (stage->allocate(std::max(size, 2 * stage->capacity()), depth)) return found::failed;
  }
  const auto error = stage->stage1(reinterpret_cast<const std::uint8_t*>(bytes), size, simdjson::stage1_mode::regular);
  places_ = stage->structural_indexes.get();
  switch (error) {
    case simdjson::SUCCESS:
      return found::ok;
    case simdjson::EMPTY:
      impl_->none = static_cast<std::uint32_t>(size);
      places_ = &impl_->none;
      return found::ok;
    case simdjson::UTF8_ERROR:
      return found::not_utf8;
    case simdjson::UNESCAPED_CHARS:
      return found::control_character;
    case simdjson::UNCLOSED_STRING:
      return found::open_text;
    default:
      return found::failed;
  }
}

}  // namespace spillway::detail
