#include "actors/app/params.hpp"

#include "messages/parse.hpp"

#include <algorithm>
#include <array>

namespace spillway {
namespace detail {
namespace {

struct unit {
  std::string_view name;
  std::int64_t nanoseconds;
};

constexpr std::array units{
    unit{"ns", 1},
    unit{"us", 1'000},
    unit{"ms", 1'000'000},
    unit{"s", 1'000'000'000},
    unit{"min", 60'000'000'000},
    unit{"h", 3'600'000'000'000},
    unit{"d", 86'400'000'000'000},
};

}  // namespace

std::string_view parse_with_unit(std::string_view text, std::chrono::nanoseconds& to) {
  constexpr std::string_view malformed = "is not a duration such as 100ms, 5s, 30min or 24h";
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto u = std::find_if(units.begin(), units.end(), [&](const unit& x) { return x.name == text.substr(digits); });
  if (digits == 0 || u == units.end()) return malformed;
  std::int64_t count = 0;
  if (!parse_text(text.substr(0, digits), count).empty() || count > std::numeric_limits<std::int64_t>::max() / u->nanoseconds)
    return "is longer than 292 years";
  to = std::chrono::nanoseconds{count * u->nanoseconds};
  return {};
}

std::string text_with_unit(std::chrono::nanoseconds d) {
  if (d.count() == 0) return "0s";
  const auto u = std::find_if(units.rbegin(), units.rend(), [&](const unit& x) { return d.count() % x.nanoseconds == 0; });
  return std::to_string(d.count() / u->nanoseconds) + std::string{u->name};
}

}  // namespace detail

params params::blank() {
  params p;
  p.blank_ = true;
  return p;
}

/// Records the use; null if the parameter was not given.
const std::string* params::find(parameter_use use) const {
  static const std::string yes = "true";
  const auto given = std::find_if(given_.rbegin(), given_.rend(), [&](const auto& g) { return g.name == use.name; });
  const auto known = std::any_of(uses_.begin(), uses_.end(), [&](const auto& u) { return u.name == use.name; });
  const bool is_flag = use.kind == "true|false";
  if (!known) uses_.push_back(std::move(use));
  if (given == given_.rend()) return nullptr;
  if (given->value) return &*given->value;
  if (is_flag) return &yes;
  throw pipeline_error("parameter --" + given->name + " has no value");
}

void params::refuse(std::string_view name, std::string_view text, std::string_view reason) const {
  auto what = "parameter --" + std::string{name} + ": '" + std::string{text} + "' " + std::string{reason};
  const auto use = std::find_if(uses_.begin(), uses_.end(), [&](const auto& u) { return u.name == name; });
  if (use != uses_.end() && !use->help.empty())
    what += "\n  note: --" + use->name + " " + use->kind + ": " + use->help + " (default: " + use->fallback + ")";
  throw pipeline_error(what);
}

const std::string& params::operator[](std::string_view name) const {
  static const std::string nothing;
  if (const auto* value = find({std::string{name}, "TEXT", "", "", true})) return *value;
  if (blank_) return nothing;
  throw missing_parameter("parameter --" + std::string{name} + " is missing");
}

std::string params::get(std::string_view name, const char* fallback, std::string_view help) const {
  return text(name, fallback, help);
}

std::string params::text(std::string_view name, const std::string& fallback, std::string_view help) const {
  const auto* value = find({std::string{name}, "TEXT", fallback, std::string{help}});
  return value ? *value : fallback;
}

bool params::flag(std::string_view name, bool fallback, std::string_view help) const {
  const auto* value = find({std::string{name}, "true|false", text_of(fallback), std::string{help}});
  if (!value) return fallback;
  bool is = false;
  if (const auto reason = parse_text(*value, is); !reason.empty()) refuse(name, *value, reason);
  return is;
}

double params::number(std::string_view name, double fallback, std::string_view help) const {
  const auto* value = find({std::string{name}, "X", text_of(fallback), std::string{help}});
  if (!value) return fallback;
  double x = 0;
  if (const auto reason = parse_text(*value, x); !reason.empty()) refuse(name, *value, reason);
  return x;
}

template <class Int>
Int params::whole(std::string_view name, Int fallback, std::string_view help, Int least, Int most) const {
  const auto* value = find({std::string{name}, "N", text_of(fallback), std::string{help}});
  if (!value) return fallback;
  Int n = 0;
  if (const auto reason = parse_text(*value, n); !reason.empty()) refuse(name, *value, reason);
  if (n < least || n > most) refuse(name, *value, "is not from " + text_of(least) + " to " + text_of(most));
  return n;
}

template std::int64_t params::whole(std::string_view, std::int64_t, std::string_view, std::int64_t, std::int64_t) const;
template std::uint64_t params::whole(std::string_view, std::uint64_t, std::string_view, std::uint64_t, std::uint64_t) const;

std::chrono::nanoseconds params::span(std::string_view name, std::chrono::nanoseconds fallback, std::string_view help) const {
  const auto* value = find({std::string{name}, "DURATION", detail::text_with_unit(fallback), std::string{help}});
  if (!value) return fallback;
  std::chrono::nanoseconds d{};
  if (const auto reason = detail::parse_with_unit(*value, d); !reason.empty()) refuse(name, *value, reason);
  return d;
}

}  // namespace spillway
