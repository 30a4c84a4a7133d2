#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace spillway {

/// The size of a terminal in characters.
struct screen_size {
  std::size_t columns = 80, rows = 24;
};

/// A block of lines that is drawn again in place: gives what to write to the terminal. Plain: writes nothing itself.
class progress_screen {
 public:
  /// With `colour`, the first `state_width` characters of each line are bold, green when the task has finished.
  explicit progress_screen(bool colour) : colour_(colour) {}

  /// Replaces the block by `lines`, cut to the screen: a line that wraps or scrolls away could not be replaced.
  std::string draw(const std::vector<std::string>& lines, screen_size size);

  /// Removes the block, so that other text can be written.
  std::string clear();

 private:
  std::string line(const std::string& text, screen_size size) const;

  bool colour_;
  std::size_t drawn_ = 0;
};

}  // namespace spillway
