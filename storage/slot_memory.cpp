#include "storage/slot_memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace spillway {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Below this a table would waste most of a huge page.
constexpr std::size_t large = huge_page / 2;

std::size_t rounded(std::size_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }

/// Maps one huge page more than asked for and gives back what is before and after the aligned part.
void* map_aligned(std::size_t bytes) {
  const auto whole = bytes + huge_page;
  auto* from = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (from == MAP_FAILED) throw std::bad_alloc{};
  const auto start = reinterpret_cast<std::uintptr_t>(from);
  const auto aligned = rounded(start);
  if (aligned > start) munmap(from, aligned - start);
  if (const auto tail = start + whole - (aligned + bytes); tail > 0) munmap(reinterpret_cast<void*>(aligned + bytes), tail);
  auto* slots = reinterpret_cast<void*>(aligned);
  madvise(slots, bytes, MADV_HUGEPAGE);
  return slots;
}

}  // namespace

void* allocate_slots(std::size_t bytes) {
  if (bytes >= large) return map_aligned(rounded(bytes));
  auto* slots = std::calloc(1, bytes);
  if (!slots) throw std::bad_alloc{};
  return slots;
}

void free_slots(void* slots, std::size_t bytes) noexcept {
  if (bytes >= large)
    munmap(slots, rounded(bytes));
  else
    std::free(slots);
}

slot_group* allocate_groups(std::size_t groups, std::size_t slots, std::size_t slot_size) {
  auto made = std::make_unique<slot_group[]>(groups);
  std::size_t n = 0;
  try {
    for (; n < groups; ++n) made[n] = {allocate_slots(slots * slot_size), slots - 1, 0};
  } catch (...) {
    free_groups(made.release(), n, slot_size);
    throw;
  }
  return made.release();
}

void free_groups(slot_group* groups, std::size_t count, std::size_t slot_size) noexcept {
  for (std::size_t i = 0; i < count; ++i) free_slots(groups[i].slots, (groups[i].mask + 1) * slot_size);
  delete[] groups;
}

}  // namespace spillway
