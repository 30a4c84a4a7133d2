#include "actors/app/command_line.hpp"

#include <algorithm>
#include <utility>

namespace spillway {
namespace {

std::string written(const parameter_use& use) { return "--" + use.name + " " + use.kind; }

using table = std::vector<std::pair<std::string, std::string>>;

std::string text_of_table(const table& lines) {
  std::size_t width = 0;
  for (const auto& [left, right] : lines) width = std::max(width, left.size());
  std::string text;
  for (const auto& [left, right] : lines) text += "  " + left + std::string(width + 2 - left.size(), ' ') + right + "\n";
  return text;
}

table parameter_table(const std::vector<parameter_use>& uses) {
  table lines;
  for (const auto& use : uses) {
    const auto value = use.required ? "required" : "default: " + (use.fallback.empty() ? "empty" : use.fallback);
    lines.emplace_back(written(use), use.help.empty() ? value : use.help + " (" + value + ")");
  }
  return lines;
}

}  // namespace

std::string usage_text(std::string_view program, std::string_view command, const std::vector<parameter_use>& uses) {
  auto text = std::string{program} + " " + std::string{command};
  for (const auto& use : uses)
    if (use.required) text += " " + written(use);
  return text;
}

std::string help_text(std::string_view program, const std::vector<parameter_use>& uses) {
  auto text = "  " + usage_text(program, "run", uses) + "\n  " + usage_text(program, "explain", uses) + " --parallelism 2\n";
  text += "\nCommands\n" + text_of_table({
                               {"run", "runs the job in this process until it ends; Ctrl-C cancels it"},
                               {"explain", "shows the steps, tasks and exchanges without running anything"},
                               {"help", "shows this"},
                           });
  if (!uses.empty()) text += "\nParameters\n" + text_of_table(parameter_table(uses));
  text +=
      "\nOptions\n" + text_of_table({
                          {"--parallelism N", "the same as -o pipeline.parallelism=N"},
                          {"-o NAME=VALUE", "sets an option of those below; can be given several times"},
                          {"--config FILE", "sets options from a file of lines NAME = VALUE; lines beginning with # are skipped"},
                          {"--quiet", "shows errors only"},
                          {"--verbose", "shows the plan before it runs"},
                      });
  table options;
  for (const auto& o : list_options()) options.emplace_back("-o " + o.name, o.sentence + " (default: " + o.fallback + ")");
  return text + "\n" + text_of_table(options);
}

}  // namespace spillway
