#pragma once
// Records whose bytes come piece by piece, on their way to rows: of growing files, of peers.
#include "messages/bad_rows.hpp"
#include "messages/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace spillway::detail {

/// Room for rows of some type.
struct row_slots {
  /// The next row, which may hold anything.
  char* next = nullptr;
  std::size_t row_size = 0, left = 0;
  /// Bytes that the rows own on the heap; null if they own none.
  std::size_t heap = 0;
  std::size_t (*heap_of)(const void* row) = nullptr;
  /// Rows that it does not want are left out. Null: all are wanted.
  bool (*wanted)(const void* how, const void* row) = nullptr;
  const void* how = nullptr;

  bool full() const noexcept { return left == 0 || heap >= max_batch_bytes; }

  /// There is a row now at `next`.
  void took() {
    if (wanted && !wanted(how, next)) return;
    if (heap_of) heap += heap_of(next);
    next += row_size;
    --left;
  }
};

/// The room that a batch has left.
template <record T>
row_slots slots_of(batch_of<T>& to) {
  row_slots slots;
  slots.next = reinterpret_cast<char*>(to.data() + to.size());
  slots.row_size = sizeof(T);
  slots.left = batch_of<T>::capacity - to.size();
  slots.heap = to.heap();
  if constexpr (!std::is_trivially_copyable_v<T>)
    slots.heap_of = [](const void* row) { return heap_bytes(*static_cast<const T*>(row)); };
  return slots;
}

/// The rows in `slots`, which came from `slots_of`, are rows of the batch.
template <record T>
void keep_rows(batch_of<T>& to, const row_slots& slots) {
  to.set_size(batch_of<T>::capacity - slots.left, slots.heap);
}

/// Makes rows of records. What is no row goes to a port for bad rows.
///
/// Threads: used by one thread at a time.
class record_stream {
 public:
  virtual ~record_stream() = default;

  /// Room for `n` bytes, which are there once `added` says so.
  virtual char* room(std::size_t n) = 0;
  virtual void added(std::size_t n) = 0;

  enum class did : std::uint8_t {
    /// Rows may be at hand without more bytes: there is no room for them, or many records were refused.
    more,
    needs_bytes,
    /// Where the next record begins cannot be told: `fault` says why, and it is no use to go on.
    lost,
  };

  /// Also if there is no room for rows, it reads a header that is to come.
  virtual did read(row_slots& to) = 0;

  struct fault_text {
    bad_row row;
    std::string help;
  };
  virtual fault_text fault() = 0;

  /// No bytes follow those that came. A record that was begun with them is refused: `reason` as in `is cut off: …`.
  virtual void cut(std::string_view reason, std::string_view help) = 0;

  /// Forgets all bytes: those that come now begin at `offset` of the text, with `lines` line ends before them. At 0 there is a
  /// header, if there is one at all.
  virtual void start_at(std::uint64_t offset, std::uint64_t lines) = 0;
  /// Records that begin before byte `offset` are left out.
  virtual void skip_before(std::uint64_t offset) = 0;

  /// False while a header is to come.
  virtual bool has_header() const { return true; }

  /// Where the record behind the last row, or the last that was refused, begins.
  virtual std::uint64_t offset() const = 0;
  virtual std::uint64_t lines() = 0;
  /// Bytes that are there and belong to no row yet.
  virtual std::size_t pending() const = 0;
};

/// So many records are refused before a reader comes back.
inline constexpr std::size_t refusals_a_turn = 1000;

}  // namespace spillway::detail
