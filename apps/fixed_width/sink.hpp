#pragma once
// A sink of one's own: a file of records of 16 bytes, there as a whole or not at all.
#include "reading.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

/// Writes "<path>.part" and gives it its name at the end.
class fixed_width_writer : public sw::sink_writer<reading> {
 public:
  explicit fixed_width_writer(std::string path) : path_(std::move(path)), part_(path_ + ".part"), file_(part_, std::ios::binary) {
    file_.exceptions(std::ios::failbit | std::ios::badbit);
  }

  void write(const sw::batch_of<reading>& rows) override {
    for (const auto& r : rows.rows()) {
      std::array<char, record_bytes + 1> record;
      const auto n = std::snprintf(record.data(), record.size(), "%-4s%6.1f %04d\n", r.station.c_str(), r.celsius, r.year);
      if (n != record_bytes) throw std::runtime_error{"a reading that does not fit 16 bytes: " + sw::text_of(r)};
      file_.write(record.data(), record_bytes);
    }
  }
  void flush() override { file_.flush(); }
  sw::commit_token prepare() override {
    file_.flush();
    return sw::saved::of(part_);
  }
  void commit(const sw::commit_token& token) override {
    const std::filesystem::path part = token.as<std::string>();
    if (exists(part)) rename(part, path_);
  }

 private:
  std::string path_, part_;
  std::ofstream file_;
};

struct to_fixed_width {
  static constexpr bool blocking = true;
  static constexpr std::uint32_t max_parallelism = 1;
  static constexpr auto verb = "to_fixed_width";
  std::string path;

  template <class T>
  std::unique_ptr<sw::sink_writer<T>> open(const sw::sink_context&) const {
    static_assert(std::is_same_v<T, reading>, "to_fixed_width writes readings");
    return std::make_unique<fixed_width_writer>(path);
  }
};
