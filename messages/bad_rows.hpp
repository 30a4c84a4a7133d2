#pragma once
// What becomes of records that are no rows, and of rows that a step's code refuses.
#include <boost/describe/class.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace spillway {

/// A stream beside the main one, known by its name: `inline const sw::side<sw::bad_row> refused{"refused"}`. Two of one name are
/// the same.
template <class T>
class side {
 public:
  explicit side(std::string name) : name_(std::move(name)) {}
  const std::string& name() const noexcept { return name_; }

 private:
  std::string name_;
};

/// A record or row that was refused.
struct bad_row {
  /// The step that refused it.
  std::string step;
  /// Where it is, as in `flights.csv:17, column 'delay'`; "" if that is not known.
  std::string place;
  /// What was wrong, as a message shows it: a cell or a record of at most some 200 bytes, in quotes and in one line, or a row as
  /// text. Not for reading again.
  std::string text;
  /// Why, as in `is not a whole number`.
  std::string reason;
};
BOOST_DESCRIBE_STRUCT(bad_row, (), (step, place, text, reason))

/// What becomes of bad rows: the job fails (the default), they are left out, or they go to a side output.
///
///     p.read(sw::csv<order>{.path = "orders.csv", .bad = sw::bad_rows::set_aside(refused)})
///     orders.map("parse", parse).on_error(sw::bad_rows::skip)
///
/// Those that are skipped or set aside are counted, see `step_view::refused`, and the first ten of each subtask are noted in the
/// job's log.
class bad_rows {
 public:
  enum class policy : std::uint8_t { fail, skip, set_aside };

  constexpr bad_rows() = default;

  static const bad_rows fail;
  static const bad_rows skip;
  static bad_rows set_aside(const side<bad_row>& to) { return bad_rows{policy::set_aside, to.name()}; }

  policy what() const noexcept { return what_; }
  /// The side output's name.
  const std::string& to() const noexcept { return to_; }

 private:
  explicit bad_rows(policy what, std::string to = {}) : what_(what), to_(std::move(to)) {}

  policy what_ = policy::fail;
  std::string to_;
};

inline const bad_rows bad_rows::fail{};
inline const bad_rows bad_rows::skip{policy::skip};

/// Where readers hand in records that are no rows.
class bad_row_port {
 public:
  virtual ~bad_row_port() = default;

  /// Throws `data_error` if bad rows make the job fail; otherwise the reader goes on behind the record. `row.step` need not be
  /// set. `help` says what to do about it.
  virtual void refuse(bad_row row, std::string_view help) = 0;

  /// Something else that the job's log should tell.
  virtual void note(std::string text) { (void)text; }

  /// Bad rows make the job fail.
  static bad_row_port& strict() noexcept;
};

}  // namespace spillway
