#include "actors/app/progress_screen.hpp"

#include "actors/app/progress_text.hpp"

#include <algorithm>

namespace spillway {
namespace {

constexpr auto bold = "\x1b[1m", green = "\x1b[32m", plain = "\x1b[0m";

}  // namespace

std::string progress_screen::line(const std::string& text, screen_size size) const {
  const auto fitting = cut(text, size.columns - 1);
  constexpr auto word = progress_text::state_width;
  if (!colour_ || fitting.size() <= word) return fitting;
  return (fitting.starts_with("Finished") ? green : bold) + fitting.substr(0, word) + plain + fitting.substr(word);
}

std::string progress_screen::draw(const std::vector<std::string>& lines, screen_size size) {
  size.columns = std::max<std::size_t>(size.columns, 20);
  const auto room = std::max<std::size_t>(size.rows, 4) - 2;
  auto text = clear();
  const auto shown = lines.size() > room ? room - 1 : lines.size();
  for (std::size_t i = 0; i < shown; ++i) text += line(lines[i], size) + "\n";
  drawn_ = shown;
  if (shown < lines.size()) {
    text += "          and " + std::to_string(lines.size() - shown) + " more\n";
    ++drawn_;
  }
  return text;
}

std::string progress_screen::clear() {
  if (drawn_ == 0) return {};
  auto text = "\x1b[" + std::to_string(drawn_) + "A\r\x1b[J";
  drawn_ = 0;
  return text;
}

}  // namespace spillway
