#pragma once
// Readers of JSON lines as tests use them.
#include "actors/sources/jsonl.hpp"
#include "tests/plain/cases.hpp"

#include <exception>
#include <string>
#include <utility>
#include <vector>

/// Takes `folder/` out of a text.
inline std::string without(const std::string& folder, std::string text) {
  for (auto at = text.find(folder + '/'); !folder.empty() && at != text.npos; at = text.find(folder + '/'))
    text.erase(at, folder.size() + 1);
  return text;
}

/// Keeps what is refused, a line each, and lets the reader go on.
class seen_refusals final : public spillway::bad_row_port {
 public:
  explicit seen_refusals(std::string folder = {}) : folder_(std::move(folder)) {}

  void refuse(spillway::bad_row row, std::string_view help) override {
    text += without(folder_, row.place + '|' + row.text + '|' + row.reason + '|' + std::string{help} + '\n');
    ++count;
  }

  std::string text;
  std::size_t count = 0;

 private:
  std::string folder_;
};

/// All rows of a reader.
template <class T>
std::vector<T> rest_of(spillway::source_reader<T>& reader) {
  std::vector<T> rows;
  for (auto more = true; more;) {
    spillway::batch_of<T> batch;
    more = reader.read(batch).state != spillway::read_result::kind::end;
    rows.insert(rows.end(), batch.rows().begin(), batch.rows().end());
  }
  return rows;
}

/// The rows of all splits, in order.
template <class T>
std::vector<T> rows_of(const spillway::jsonl<T>& source, spillway::bad_row_port& bad = spillway::bad_row_port::strict()) {
  spillway::source_context context;
  context.bad = &bad;
  std::vector<T> rows;
  const auto all = source.splits(context);
  for (auto s = all->next(); s; s = all->next()) {
    const auto some = rest_of(*source.open(*s, context));
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

template <class T>
std::string refusals(const scratch_folder& folder, const spillway::jsonl<T>& source) {
  seen_refusals seen{folder.path};
  (void)rows_of(source, seen);
  return seen.text;
}

inline std::string error_of(const scratch_folder& folder, auto f) {
  try {
    f();
  } catch (const std::exception& e) {
    return without(folder.path, e.what());
  }
  return "no error";
}
