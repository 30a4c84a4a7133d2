#pragma once
#include "messages/bad_rows.hpp"
#include "messages/batch.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Does with bad rows what a step was told, counts them, and writes down the first of them for the log.
class bad_row_book final : public bad_row_port {
 public:
  /// How many are noted.
  static constexpr std::uint64_t most_notes = 10;

  bad_row_book(std::string step, bad_rows how) : step_(std::move(step)), how_(std::move(how)) {}

  bad_rows::policy policy() const noexcept { return how_.what(); }

  void refuse(bad_row row, std::string_view help) override;
  void note(std::string text) override { notes_.push_back(std::move(text)); }

  std::uint64_t count() const noexcept { return count_; }

  /// Rows set aside that were not taken yet, at most one batch of them; null if there are none.
  batch_ptr take_rows();
  bool holds_rows() const noexcept { return !rows_.empty(); }

  bool has_notes() const noexcept { return !notes_.empty(); }
  /// What to log, since the last call.
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

 private:
  std::string step_;
  bad_rows how_;
  std::uint64_t count_ = 0;
  std::vector<std::string> notes_;
  std::vector<bad_row> rows_;
  std::shared_ptr<batch_pool> pool_ = std::make_shared<batch_pool>();
};

}  // namespace spillway
