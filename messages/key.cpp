#include "messages/key.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {

std::uint64_t hash_bytes(const void* bytes, std::size_t size) noexcept { return XXH3_64bits(bytes, size); }

}  // namespace spillway
