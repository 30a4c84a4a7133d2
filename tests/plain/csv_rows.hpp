#pragma once
// Reading CSV as a job does: splits from the list, a reader for each, several readers in turn.
#include "actors/sources/csv.hpp"
#include "messages/errors.hpp"
#include "tests/plain/cases.hpp"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Keeps bad rows.
class bad_row_list final : public bad_row_port {
 public:
  void refuse(bad_row row, std::string_view) override { rows.push_back(std::move(row)); }
  std::vector<bad_row> rows;
};

template <class T>
struct csv_result {
  std::vector<T> rows;
  std::vector<bad_row> bad;
  std::size_t splits = 0;
};

/// The rows of all splits in their order, read by so many readers in turn, each a batch at a time.
template <class T>
csv_result<T> read_csv(const csv<T>& source, std::size_t readers, bool skip) {
  struct part {
    std::vector<T> rows;
    bad_row_list bad;
  };
  std::deque<part> parts;
  struct reading {
    std::unique_ptr<source_reader<T>> reader;
    part* to = nullptr;
    bool done = false;
  };
  std::vector<reading> all(readers);
  const auto list = source.splits({});
  std::uint64_t listed = 0;
  for (auto left = readers; left > 0;) {
    for (auto& r : all) {
      if (r.done) continue;
      if (!r.reader) {
        const auto s = list->next();
        if (!s) {
          r.done = true;
          --left;
          continue;
        }
        listed += s->size.value_or(0);
        r.to = &parts.emplace_back();
        source_context context;
        if (skip) context.bad = &r.to->bad;
        r.reader = source.open(*s, context);
      }
      batch_of<T> batch;
      const auto more = r.reader->read(batch).state != read_result::kind::end;
      r.to->rows.insert(r.to->rows.end(), batch.rows().begin(), batch.rows().end());
      if (more) continue;
      const auto done = r.reader->progress();
      CHECK((!done.total || done.done == done.total));
      r.reader.reset();
    }
  }
  if (const auto total = list->total()) CHECK(listed == *total);
  csv_result<T> result;
  for (auto& p : parts) {
    result.rows.insert(result.rows.end(), p.rows.begin(), p.rows.end());
    result.bad.insert(result.bad.end(), p.bad.rows.begin(), p.bad.rows.end());
  }
  result.splits = parts.size();
  return result;
}

template <class T>
std::vector<T> rows_of(const csv<T>& source, std::size_t readers = 1) {
  return read_csv(source, readers, false).rows;
}

/// The message that `f` throws, without the folder of the files.
std::string error_of(const std::string& folder, auto f) {
  try {
    f();
  } catch (const std::runtime_error& e) {
    std::string text = e.what();
    for (auto at = text.find(folder + '/'); at != text.npos; at = text.find(folder + '/')) text.erase(at, folder.size() + 1);
    return text;
  }
  return "no error";
}

}  // namespace spillway
