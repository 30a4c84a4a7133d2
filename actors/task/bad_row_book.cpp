#include "actors/task/bad_row_book.hpp"

#include "messages/text.hpp"

#include <utility>

namespace spillway {

void bad_row_book::refuse(bad_row row, std::string_view help) {
  if (how_.what() == bad_rows::policy::fail) strict().refuse(std::move(row), help);
  row.step = step_;
  if (count_++ < most_notes) {
    std::string note;
    detail::append_visible(
        note, row.place + (row.place.empty() ? "" : ": ") + row.text.substr(0, 400) + (row.text.empty() ? "" : " ") + row.reason);
    notes_.push_back(std::move(note));
  }
  if (how_.what() == bad_rows::policy::set_aside) rows_.push_back(std::move(row));
}

batch_ptr bad_row_book::take_rows() {
  if (rows_.empty()) return {};
  auto b = make_batch<bad_row>(pool_);
  std::size_t n = 0;
  while (n < rows_.size() && !b->full()) b->push(std::move(rows_[n++]));
  rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(n));
  return b;
}

}  // namespace spillway
