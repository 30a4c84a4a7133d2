#pragma once
#include "actors/made.hpp"
#include "actors/row_time.hpp"
#include "actors/source.hpp"
#include "actors/sources/csv_columns.hpp"
#include "actors/sources/tail_csv.hpp"
#include "actors/sources/tail_input.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace spillway {
namespace detail {

template <record T>
class tail_reader final : public source_reader<T> {
 public:
  tail_reader(tail_options options, std::unique_ptr<record_stream> records, bad_row_port& bad, row_time<T> time,
              std::optional<timestamp> first_time)
      : input_(std::move(options), std::move(records), bad, first_time), time_(std::move(time)) {}

  read_result read(batch_of<T>& to) override {
    auto slots = slots_of(to);
    if (input_.first_time()) {
      slots.wanted = [](const void* self, const void* row) {
        return static_cast<const tail_reader*>(self)->is_wanted(*static_cast<const T*>(row));
      };
      slots.how = this;
    }
    const auto result = input_.read(slots);
    keep_rows(to, slots);
    return result;
  }

  read_progress progress() const override { return input_.progress(); }
  source_position position() const override { return input_.position(); }
  void seek(const source_position& p) override { input_.seek(p); }
  bool backlog() const override { return input_.backlog(); }

 private:
  bool is_wanted(const T& row) const { return !time_ || time_(row) >= *input_.first_time(); }

  tail_input input_;
  row_time<T> time_;
};

/// The options that all sources have that follow a file.
template <class Tail>
tail_options options_of(const Tail& t) {
  return {t.path, t.poll, t.backlog, t.from.is == start_point::kind::end};
}

template <class Tail>
std::unique_ptr<source_reader<typename Tail::row>> open_tail(const Tail& t, std::unique_ptr<record_stream> records,
                                                             const source_context& context) {
  using T = typename Tail::row;
  return made<source_reader<T>, tail_reader<T>>(options_of(t), std::move(records), *context.bad, t.time,
                                                t.from.first_time(context.history_end));
}

}  // namespace detail

/// The rows of a CSV file that others append to, as `csv` has them, and of each file that takes its name later, which begins with
/// a header of its own: so it may be renamed, for another to be begun, or copied and emptied. It need not be there yet, but its
/// folder must.
///
/// A record is read when its line end is there; one that is cut off, as the file ends for ever without a line end, is a bad row.
/// Renaming loses no row if the job keeps up and there is at least `poll` between two of them; emptying the file loses those that
/// were not read.
///
/// The file is looked at every `poll`, by one thread. Its rows are old, so the job is in backlog, until it has been read to its
/// end, and while more than `backlog` is left to read.
///
/// After a restart it goes on behind the last row, also in a file that was renamed within its folder in the meantime. If that
/// file is gone, or was written anew, the job fails with a `data_error`.
template <class T>
struct csv_tail {
  static_assert(row_checked<T>);
  using row = T;
  static constexpr auto bounds = unbounded;
  static constexpr auto verb = "csv_tail";
  static constexpr bool blocking = true;
  static constexpr bool tells_backlog = true;
  static constexpr std::uint32_t max_parallelism = 1;

  std::string path;
  /// For columns that are not named like the members, or need a unit, a zone or a function of their text.
  spillway::columns<T> columns{};
  bad_rows bad{};
  row_time<T> time{};
  /// Where it begins at a fresh start. From its end: behind the records that were begun when the job starts; what is before is
  /// read, but makes no rows. From a time: rows before it are left out, wherever they are.
  start_point from = at_beginning;
  char delimiter = ',';
  /// Bytes; bounds what a stray quote can swallow.
  std::size_t max_record = 1024 * 1024;
  std::chrono::microseconds poll = std::chrono::milliseconds{50};
  backlog_bytes backlog{};

  /// Throws `pipeline_error` for options that cannot be, `data_error` if the file's folder is not there.
  void check() const {
    detail::check_tail(detail::options_of(*this), from, static_cast<bool>(time));
    (void)records(bad_row_port::strict());
  }

  std::unique_ptr<source_reader<T>> open(const source_context& context) const {
    return detail::open_tail(*this, records(*context.bad), context);
  }

 private:
  std::unique_ptr<detail::record_stream> records(bad_row_port& port) const {
    return detail::csv_records({.place = path + ':', .delimiter = delimiter, .max_record = max_record}, columns.bindings(), port);
  }
};

/// The lines of a text file that others append to, each a row of type `std::string`; otherwise as `csv_tail`.
struct text_tail {
  using row = std::string;
  static constexpr auto bounds = unbounded;
  static constexpr auto verb = "text_tail";
  static constexpr bool blocking = true;
  static constexpr bool tells_backlog = true;
  static constexpr std::uint32_t max_parallelism = 1;

  std::string path;
  bad_rows bad{};
  row_time<std::string> time{};
  start_point from = at_beginning;
  /// Bytes of one line.
  std::size_t max_record = 1024 * 1024;
  std::chrono::microseconds poll = std::chrono::milliseconds{50};
  backlog_bytes backlog{};

  void check() const;
  std::unique_ptr<source_reader<std::string>> open(const source_context& context) const;
};

}  // namespace spillway
