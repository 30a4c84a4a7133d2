#include "actors/sinks/text_table.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace spillway::detail {
namespace {

/// Characters of UTF-8 text, as a measure of its width.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

namespace {

/// The terminal is one for the whole process, and so is what is known of it.
struct shared_terminal {
  std::mutex mutex;
  std::function<void()> clear;
  bool printed = false;
};

shared_terminal& terminal() {
  static shared_terminal one;
  return one;
}

}  // namespace

void before_first_print(std::function<void()> clear) {
  std::lock_guard lock{terminal().mutex};
  terminal().clear = std::move(clear);
  terminal().printed = false;
}

void unless_printed(const std::function<void()>& draw) {
  std::lock_guard lock{terminal().mutex};
  if (!terminal().printed) draw();
}

void write_out(std::FILE* to, std::string_view text) {
  std::lock_guard lock{terminal().mutex};
  if (!text.empty() && !std::exchange(terminal().printed, true) && terminal().clear) terminal().clear();
  if (std::fwrite(text.data(), 1, text.size(), to) != text.size() || std::fflush(to) != 0)
    throw std::runtime_error{"cannot write to the standard output: " + std::generic_category().message(errno)};
}

void append_rounded(std::string& to, double x) {
  const auto size = std::fabs(x);
  const auto plain = size == 0 || (size >= 1e-4 && size < 1e15);
  char text[64];
  std::snprintf(text, sizeof text, std::isnan(x) ? "nan" : plain ? "%.4f" : "%.4g", x);
  to += text;
}

void print(std::FILE* to, std::string& text) {
  write_out(to, text);
  text.clear();
}

text_table::text_table(std::FILE* to, const std::vector<std::string>& columns, const bool* right_aligned)
    : to_(to), columns_(columns), right_aligned_(right_aligned) {}

text_table::~text_table() = default;

void text_table::add_cell(std::string cell) { row_.push_back(std::move(cell)); }

void text_table::end_row() {
  if (!widths_.empty()) {
    std::string text;
    append_line(text, row_);
    row_.clear();
    return write_out(to_, text);
  }
  held_.push_back(std::exchange(row_, {}));
  if (held_.size() == most_held) show();
}

void text_table::show() {
  if (!widths_.empty() || columns_.empty()) return;
  for (const auto& c : columns_) widths_.push_back(width_of(c));
  for (const auto& row : held_)
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], width_of(row[i]));
  std::string text;
  append_line(text, columns_);
  for (const auto& row : std::exchange(held_, {})) append_line(text, row);
  write_out(to_, text);
}

void text_table::append_line(std::string& text, const std::vector<std::string>& cells) const {
  std::size_t end = text.size();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += "  ";
    const auto width = width_of(cells[i]);
    const auto padding = widths_[i] > width ? widths_[i] - width : 0;
    if (right_aligned_[i]) text.append(padding, ' ');
    text += cells[i];
    end = cells[i].empty() ? end : text.size();
    if (!right_aligned_[i]) text.append(padding, ' ');
  }
  text.resize(end);
  text += '\n';
}

}  // namespace spillway::detail
