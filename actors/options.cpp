#include "actors/options.hpp"

#include "actors/app/command_line.hpp"
#include "messages/nearest.hpp"
#include "messages/parse.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace spillway {
namespace {

/// How one option is written. `set` gives what the value must be, "" if it is that.
struct entry {
  const char* name;
  /// "" for what `show` gives of the default options.
  const char* fallback;
  const char* sentence;
  std::string (*show)(const options&);
  std::string (*set)(options&, const std::string&);
};

template <auto Member>
std::string show(const options& o) {
  if constexpr (requires { detail::text_with_unit(o.*Member); })
    return detail::text_with_unit(o.*Member);
  else
    return text_of(o.*Member);
}

template <auto Member>
std::string set_count(options& o, const std::string& value) {
  std::uint32_t n = 0;
  if (!parse_text(value, n).empty() || n == 0) return "a whole number of at least 1";
  o.*Member = n;
  return {};
}

std::string set_groups(options& o, const std::string& value) {
  std::uint32_t n = 0;
  if (!parse_text(value, n).empty() || !std::has_single_bit(n)) return "a power of two, such as 128";
  o.max_parallelism = n;
  return {};
}

std::string set_name(options& o, const std::string& value) {
  if (value.empty()) return "a name";
  o.name = value;
  return {};
}

std::string set_buffer_timeout(options& o, const std::string& value) {
  std::chrono::nanoseconds d{};
  if (value != "0" && !detail::parse_with_unit(value, d).empty()) return "0, or a duration such as 10ms or 1s";
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(d);
  if (whole != d) return "a whole number of us";
  o.buffer_timeout = whole;
  return {};
}

std::string set_policy(options& o, const std::string& value) {
  if (value != "sharing" && value != "stealing") return "sharing or stealing";
  o.policy = value;
  return {};
}

std::string set_attached(options& o, const std::string& value) {
  return parse_text(value, o.attached).empty() ? "" : "true or false";
}

constexpr auto cores = "the number of cores";
constexpr std::array entries{
    entry{"job.name", "the program's name", "the job's name in messages", show<&options::name>, set_name},
    entry{"pipeline.parallelism", cores, "subtasks of a step that does not say otherwise", show<&options::parallelism>,
          set_count<&options::parallelism>},
    entry{"pipeline.max-parallelism", "8 x parallelism, from 128", "key groups, a power of two", show<&options::max_parallelism>,
          set_groups},
    entry{"execution.buffer-timeout", "", "the longest time a row waits for its batch to fill", show<&options::buffer_timeout>,
          set_buffer_timeout},
    entry{"exchange.permits", "", "batches that may wait in a subpartition", show<&options::permits>,
          set_count<&options::permits>},
    entry{"exchange.credit", "", "batches that may be under way to a consumer, for each channel", show<&options::credit>,
          set_count<&options::credit>},
    entry{"scheduler.threads", cores, "threads that run actors", show<&options::threads>, set_count<&options::threads>},
    entry{"scheduler.policy", "", "sharing (no CPU when idle, low latency) or stealing", show<&options::policy>, set_policy},
    entry{"execution.attached", "", "blocking readers and sinks run on the actors' threads", show<&options::attached>,
          set_attached},
};

std::string no_option(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& e : entries) names.emplace_back(e.name);
  auto text = "there is no option '" + name + "'\n  help: ";
  if (const auto near = nearest(name, names)) return text + "did you mean '" + *near + "'?";
  text += "the options are";
  for (const auto& n : names) (text += n == names.front() ? " " : ", ") += n;
  return text;
}

}  // namespace

void set_option(options& o, const std::string& name, const std::string& value) {
  const auto e = std::find_if(entries.begin(), entries.end(), [&](const entry& x) { return x.name == name; });
  if (e == entries.end()) throw pipeline_error(no_option(name));
  if (const auto wanted = e->set(o, value); !wanted.empty())
    throw pipeline_error("option '" + name + "' must be " + wanted + ", not '" + value + "'");
}

std::vector<option_text> list_options() {
  std::vector<option_text> all;
  for (const auto& e : entries) all.push_back({e.name, *e.fallback ? e.fallback : e.show(options{}), e.sentence});
  return all;
}

void check_options(const options& o) {
  const auto check = [](bool good, const std::string& name, const std::string& wanted) {
    if (!good) throw pipeline_error("option '" + name + "' must be " + wanted);
  };
  check(o.permits > 0, "exchange.permits", "a whole number of at least 1");
  check(o.credit > 0, "exchange.credit", "a whole number of at least 1");
  check(o.buffer_timeout.count() >= 0, "execution.buffer-timeout", "0, or a duration such as 10ms or 1s");
  check(o.policy == "sharing" || o.policy == "stealing", "scheduler.policy", "sharing or stealing, not '" + o.policy + "'");
}

}  // namespace spillway
