#pragma once
// Traces written as text, and every order in which the elements of several channels can arrive.
#include "messages/element.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace spillway::tests {

/// A trace: one element or event a line.
struct lines : std::vector<std::string> {
  using vector::vector;
  friend std::ostream& operator<<(std::ostream& out, const lines& all) {
    for (const auto& line : all) out << "\n  " << line;
    return out;
  }
};

/// Which sequence each step takes its next line from.
using merge_order = std::vector<std::uint32_t>;

/// Every merge of `sequences` that keeps the order within each of them.
inline std::vector<merge_order> all_merges(const std::vector<lines>& sequences) {
  merge_order order;
  for (std::uint32_t s = 0; s < sequences.size(); ++s) order.insert(order.end(), sequences[s].size(), s);
  std::vector<merge_order> all;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

using row = std::int64_t;

inline timestamp at(std::int64_t microseconds) { return timestamp{std::chrono::microseconds{microseconds}}; }

/// The element that `line` describes: "header live", "rows 1 10", "watermark 5", "watermark max", "backlog begins",
/// "barrier 1", "idle", "active", "end".
inline element element_of(const std::string& line) {
  std::istringstream in{line};
  std::string word, what;
  in >> word;
  if (word == "rows") {
    auto batch = make_batch<row>(nullptr);
    for (row r; in >> r;) batch->push(r);
    return element{batch_ptr{batch}};
  }
  in >> what;
  if (word == "header") return header{what == "backlog"};
  if (word == "backlog") return backlog_mark{what == "begins"};
  if (word == "watermark") return watermark{what == "max" ? max_time : at(std::stoll(what))};
  if (word == "barrier") return barrier{std::stoull(what)};
  if (word == "idle" || word == "active") return activity{word == "idle"};
  if (word == "end") return end_mark{};
  throw std::invalid_argument{"no such element: " + line};
}

inline std::string text_of(const control& mark) {
  struct writer {
    std::string operator()(header h) const { return h.backlog ? "header backlog" : "header live"; }
    std::string operator()(watermark w) const {
      return "watermark " + (w.at == max_time ? "max" : std::to_string(w.at.time_since_epoch().count()));
    }
    std::string operator()(backlog_mark b) const { return b.begins ? "backlog begins" : "backlog ends"; }
    std::string operator()(barrier b) const { return "barrier " + std::to_string(b.number); }
    std::string operator()(activity a) const { return a.idle ? "idle" : "active"; }
    std::string operator()(end_mark) const { return "end"; }
  };
  return std::visit(writer{}, mark);
}

inline std::string text_of(const element& e) {
  if (!e.is_batch()) return text_of(e.mark);
  std::string text = "rows";
  for (row r : rows_in<row>(*e.rows).rows()) text += " " + std::to_string(r);
  return text;
}

/// The lines that begin with one of `words`.
inline lines only(const lines& trace, std::initializer_list<std::string> words) {
  lines some;
  for (const auto& line : trace)
    for (const auto& word : words)
      if (line.starts_with(word)) some.push_back(line);
  return some;
}

}  // namespace spillway::tests
