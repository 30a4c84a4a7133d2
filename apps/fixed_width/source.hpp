#pragma once
// A source of one's own: a file of records of 16 bytes, "KSFO  12.5 2001\n".
#include "reading.hpp"

#include <filesystem>
#include <fstream>

/// Reads the records numbered from `next` to `end`.
class fixed_width_reader : public sw::source_reader<reading> {
 public:
  fixed_width_reader(const std::string& path, std::uint64_t next, std::uint64_t end, sw::bad_row_port& bad)
      : path_(path), file_(path, std::ios::binary), next_(next), end_(end), bad_(bad) {
    file_.exceptions(std::ios::failbit | std::ios::badbit);
    fixed_width_reader::seek(sw::saved::of(next));
  }

  sw::read_result read(sw::batch_of<reading>& to) override {
    char record[record_bytes];
    for (; next_ < end_ && !to.full(); ++next_) {
      file_.read(record, record_bytes);
      reading r;
      const std::string_view text{record, record_bytes - 1}, wrong = parse(text, r);
      if (wrong.empty())
        to.push(std::move(r));
      else
        bad_.refuse({{}, path_ + ", record " + std::to_string(next_), std::string{text}, std::string{wrong}}, "correct the file");
    }
    return next_ < end_ ? sw::read_result::more() : sw::read_result::end();
  }
  sw::source_position position() const override { return sw::saved::of(next_); }
  void seek(const sw::source_position& p) override {
    file_.seekg(static_cast<std::streamoff>((next_ = p.as<std::uint64_t>()) * record_bytes));
  }

 private:
  std::string path_;
  std::ifstream file_;
  std::uint64_t next_, end_;
  sw::bad_row_port& bad_;
};

struct fixed_width {
  using row = reading;
  static constexpr auto bounds = sw::bounded;
  static constexpr bool blocking = true;
  std::string path;
  sw::bad_rows bad{};

  /// A part of the file for each subtask, told by its first and last record.
  std::vector<sw::split> splits(const sw::source_context& context) const {
    const std::uint64_t n = std::filesystem::file_size(path) / record_bytes, p = context.parallelism;
    std::vector<sw::split> all;
    for (std::uint64_t i = 0; i < p; ++i)
      all.push_back({std::to_string(i), sw::saved::of(std::pair{n * i / p, n * (i + 1) / p})});
    return all;
  }
  std::unique_ptr<sw::source_reader<row>> open(const sw::split& s, const sw::source_context& context) const {
    const auto [from, to] = s.data.as<std::pair<std::uint64_t, std::uint64_t>>();
    return std::make_unique<fixed_width_reader>(path, from, to, *context.bad);
  }
};
