#include "actors/sinks/json_line.hpp"

#include "actors/sources/json_text.hpp"
#include "messages/errors.hpp"

#include <cmath>

namespace spillway::detail {

json_rows::json_rows(const sink_context& context, std::vector<json_field_name> fields) {
  std::size_t columns = 0;
  for (const auto& f : fields) columns += f.columns;
  const auto own = context.columns.size() != columns;
  std::size_t at = 0;
  for (auto& f : fields) {
    names_.push_back(own || !f.is_column ? f.name : context.columns[at]);
    at += f.columns;
  }
  check_columns(context.step, names_);
  for (const auto& n : names_) {
    std::string head{heads_.empty() ? '{' : ','};
    if (!append_json_text(head, n)) throw pipeline_error{"step '" + context.step + "': the name of a column is not UTF-8"};
    heads_.push_back(head + ':');
  }
}

json_rows::~json_rows() = default;

void json_rows::append_string(std::string_view text) {
  if (!append_json_text(*text_, text)) refuse("a text that is not UTF-8", "JSON is UTF-8: map the text to it, or write CSV");
}

void json_rows::append_number(std::int64_t x) { detail::append_number(*text_, x); }
void json_rows::append_number(std::uint64_t x) { detail::append_number(*text_, x); }

void json_rows::append_number(float x) {
  if (!std::isfinite(x)) append_number(static_cast<double>(x));
  detail::append_number(*text_, x);
}

void json_rows::append_number(double x) {
  if (!std::isfinite(x))
    refuse(std::isnan(x) ? "NaN, which is no number in JSON" : "an infinite number, which JSON does not have",
           "map it to a std::optional without a value, or write CSV");
  detail::append_number(*text_, x);
}

void json_rows::refuse(const std::string& what, const char* help) const {
  throw data_error{"row " + std::to_string(rows_ + 1) + " of those written here has in column '" + names_[field_ - 1] + "' " +
                   what + "\n  help: " + help};
}

}  // namespace spillway::detail
