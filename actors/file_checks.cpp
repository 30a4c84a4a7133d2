#include "actors/file_checks.hpp"

#include "actors/sinks/output_target.hpp"
#include "actors/sources/file_list.hpp"
#include "messages/errors.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

namespace {

/// What tells a file from others, whatever its path: its number, or, as long as it is not there, its name.
struct identity {
  dev_t device = 0;
  ino_t number = 0;
  std::filesystem::path path;

  bool operator==(const identity&) const = default;
};

/// Null for what can be written by many at once, or not at all.
std::optional<identity> identity_of(const std::string& path) {
  std::error_code failed;
  auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  struct stat about {};
  if (failed) return {};
  if (stat(whole.c_str(), &about) != 0) return identity{0, 0, std::move(whole)};
  if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode)) return {};
  return identity{about.st_dev, about.st_ino, {}};
}

[[noreturn]] void refuse(const step& sink, const std::string& why, const char* help = "write to another file") {
  throw pipeline_error("step '" + sink.name + "' cannot write '" + sink.file + "': " + why + "\n  help: " + help);
}

/// True if the file at `path` is there and in the folder, or among those of the pattern, that are read. What cannot be listed is
/// for the source to tell.
bool is_among(const std::string& path, const std::string& read) try {
  const auto file = identity_of(path);
  if (!file || file->number == 0) return false;
  const auto files = detail::find_files(read);
  return std::any_of(files.begin(), files.end(), [&](const auto& f) { return identity_of(f.path) == file; });
} catch (const data_error&) {
  return false;
}

void check_against(const step& sink, const step& other) {
  if (other.file.empty() || &other == &sink || (other.kind != step_kind::sink && other.kind != step_kind::source)) return;
  const auto there = identity_of(detail::target_of(other.file));
  const auto target = detail::target_of(sink.file);
  const bool reads = other.kind == step_kind::source;
  if (there && identity_of(target) == there) refuse(sink, "step '" + other.name + (reads ? "' reads it" : "' writes it too"));
  if (reads && is_among(target, other.file))
    refuse(sink, "step '" + other.name + "' reads '" + other.file + "', which it is one of");
  if (reads && there && identity_of(detail::part_of(target)) == there)
    refuse(sink, "step '" + other.name + "' reads '" + other.file + "', which is its name until it is whole");
}

}  // namespace

void check_files(const job_graph& graph) {
  for (const auto& s : graph.steps) {
    if (s.kind != step_kind::sink || s.file.empty()) continue;
    if (const auto* kind = detail::not_writable(s.file)) refuse(s, std::string{"it is "} + kind, "name a file");
    for (const auto& other : graph.steps) check_against(s, other);
  }
}

std::vector<std::pair<std::string, std::string>> endless_files(const job_graph& graph) {
  std::vector<bool> endless(graph.steps.size());
  for (std::size_t i = 0; i < endless.size(); ++i) endless[i] = graph.steps[i].unbounded;
  // Edges lead to steps that were added later.
  for (const auto& e : graph.edges)
    if (endless[e.from.value]) endless[e.to.value] = true;
  std::vector<std::pair<std::string, std::string>> notes;
  for (std::size_t i = 0; i < endless.size(); ++i)
    if (const auto& s = graph.steps[i]; s.kind == step_kind::sink && endless[i] && !s.file.empty() && detail::made_whole(s.file))
      notes.emplace_back(s.name, "'" + s.file +
                                     "' gets its name when its rows end, and they never do: what is there when the job is "
                                     "cancelled is removed; to_csv_parts and to_jsonl_parts with .every write files "
                                     "that are seen before");
  return notes;
}

}  // namespace spillway
