#pragma once
#include <cstddef>

namespace spillway {

/// Zeroed memory for a table of `bytes`. Large tables get whole huge pages where the system has them: look-ups at random places
/// then miss the TLB far less. Throws `std::bad_alloc`.
void* allocate_slots(std::size_t bytes);

/// Frees what `allocate_slots` gave for the same `bytes`.
void free_slots(void* slots, std::size_t bytes) noexcept;

/// The slots of one key group's table, of which `used` hold an entry.
struct slot_group {
  void* slots;
  std::size_t mask;
  std::size_t used = 0;
};

/// `groups` tables of `slots` free slots each, a power of two. Throws `std::bad_alloc`.
slot_group* allocate_groups(std::size_t groups, std::size_t slots, std::size_t slot_size);

/// Frees the tables and their slots, whose entries are destroyed already.
void free_groups(slot_group* groups, std::size_t count, std::size_t slot_size) noexcept;

}  // namespace spillway
