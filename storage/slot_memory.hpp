#pragma once
#include <cstddef>

namespace spillway {

/// Zeroed memory for a table of `bytes`. Large tables get whole huge pages where the system has them: look-ups at random places
/// then miss the TLB far less. Throws `std::bad_alloc`.
void* allocate_slots(std::size_t bytes);

/// Frees what `allocate_slots` gave for the same `bytes`.
void free_slots(void* slots, std::size_t bytes) noexcept;

}  // namespace spillway
