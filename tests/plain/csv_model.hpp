#pragma once
// CSV read one byte at a time, as docs/bad-rows.md has it, to compare the fast reader with.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a text of CSV holds, record by record.
struct csv_model {
  struct cell {
    std::string text;
    bool quoted = false;
    bool operator==(const cell&) const = default;
  };
  enum class kind { good, bad, lost };
  struct record {
    kind is = kind::good;
    std::vector<cell> cells;
    std::size_t line = 1, begin = 0, end = 0;
  };
  std::vector<record> records;

  csv_model(std::string_view text, std::size_t max_record) {
    std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0, line = 1;
    while (at < text.size()) {
      record r{kind::good, {}, line, at, end_of(text, at)};
      const auto bytes = text.substr(at, r.end - at);
      if (is_lost(text, bytes, max_record))
        r.is = kind::lost;
      else if (bytes.size() > max_record || !parse(bytes, r.cells))
        r.is = kind::bad;
      if (r.is != kind::good) r.cells.clear();
      records.push_back(r);
      if (r.is == kind::lost) return;
      for (const auto c : bytes) line += c == '\n' ? 1 : 0;
      at = r.end;
    }
  }

 private:
  /// Behind the first line feed with an even number of quotes before it.
  static std::size_t end_of(std::string_view text, std::size_t at) {
    auto quotes = 0;
    for (; at < text.size(); ++at) {
      if (text[at] == '"') ++quotes;
      if (text[at] == '\n' && quotes % 2 == 0) return at + 1;
    }
    return at;
  }

  /// A quote is open at the end of the text or at the limit of a record, or behind that limit for as long again.
  static bool is_lost(std::string_view text, std::string_view record, std::size_t max_record) {
    auto quotes = 0;
    std::size_t opened = 0;
    for (std::size_t i = 0; i < record.size(); ++i) {
      if (i == max_record && quotes % 2 == 1) return true;
      if (record[i] != '"') continue;
      if (++quotes % 2 == 1)
        opened = i;
      else if (i > max_record && i - opened > max_record)
        return true;
    }
    const auto reaches_end = record.data() + record.size() == text.data() + text.size();
    return quotes % 2 == 1 && reaches_end;
  }

  static bool parse(std::string_view bytes, std::vector<cell>& cells) {
    std::size_t i = 0;
    const auto at_end = [&] { return i == bytes.size(); };
    for (;;) {
      cell c;
      if (!at_end() && bytes[i] == '"') {
        c.quoted = true;
        for (++i;; ++i) {
          if (at_end()) return false;
          if (bytes[i] == '"') {
            ++i;
            if (at_end() || bytes[i] != '"') break;
          }
          c.text += bytes[i];
        }
      } else {
        for (; !at_end() && bytes[i] != ',' && bytes[i] != '\r' && bytes[i] != '\n'; ++i) {
          if (bytes[i] == '"') return false;
          c.text += bytes[i];
        }
      }
      cells.push_back(c);
      if (at_end() || bytes[i] == '\n') return true;
      if (bytes[i] == '\r') return i + 1 == bytes.size() || bytes[i + 1] == '\n';
      if (bytes[i] != ',') return false;
      ++i;
    }
  }
};
