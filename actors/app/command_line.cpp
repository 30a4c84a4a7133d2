#include "actors/app/command_line.hpp"

#include "messages/nearest.hpp"

#include <algorithm>
#include <array>
#include <fstream>

namespace spillway {
namespace {

constexpr std::array<std::string_view, 5> own_options{"parallelism", "config", "quiet", "verbose", "help"};

std::string quoted(std::string_view text) { return "'" + std::string{text} + "'"; }

/// The second line of an error about a name that does not exist.
std::string suggestion(std::string_view wanted, const std::vector<std::string>& names, std::string_view prefix,
                       std::string otherwise) {
  const auto near = nearest(wanted, names);
  return "\n  help: " + (near ? "did you mean " + std::string{prefix} + *near + "?" : std::move(otherwise));
}

std::string_view trimmed(std::string_view text) {
  constexpr auto blanks = " \t\r";
  const auto from = text.find_first_not_of(blanks);
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) + 1 - from);
}

/// Goes through the arguments once.
class reader {
 public:
  reader(std::string_view program, std::span<const char* const> args) : program_(program), rest_(args) {}

  command_line read() {
    out_.how.name = program_;
    read_command();
    while (!rest_.empty() && out_.what != command::help) read_next();
    for (const auto& path : files_) read_options(path, out_.how);
    for (const auto& [name, value] : options_) set_option(out_.how, name, value);
    return std::move(out_);
  }

 private:
  std::string_view take() {
    const std::string_view first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }

  void read_command() {
    const auto word = take();
    if (word == "help" || word == "--help" || word == "-h") return;
    if (word.starts_with('-'))
      throw pipeline_error("the command is missing before " + quoted(word) + "\n  help: " + program_ + " run " +
                           std::string{word} + " ...");
    if (word != "run" && word != "explain")
      throw pipeline_error("there is no command " + quoted(word) +
                           suggestion(word, {"run", "explain", "help"}, "", "the commands are run, explain and help"));
    out_.what = word == "run" ? command::run : command::explain;
  }

  void read_next() {
    const auto word = take();
    if (word == "--help" || word == "-h") {
      out_.what = command::help;
    } else if (word == "-o") {
      add_option();
    } else if (word.starts_with("--") && word.find_first_not_of("-=") == 2) {
      read_named(word.substr(2));
    } else if (word.starts_with('-')) {
      throw pipeline_error("there is no option " + quoted(word) + "\n  help: " + program_ + " --help lists the options");
    } else {
      throw pipeline_error("nothing asks for " + quoted(word) + "\n  help: parameters are written --name value");
    }
  }

  void read_named(std::string_view word) {
    const auto is = word.find('=');
    const std::string name{word.substr(0, is)};
    if (name == "quiet" || name == "verbose") {
      if (is != word.npos) throw pipeline_error("option --" + name + " takes no value");
      (name == "quiet" ? out_.quiet : out_.verbose) = true;
      return;
    }
    auto value = is == word.npos ? take_value() : std::string{word.substr(is + 1)};
    if (name == "parallelism")
      options_.emplace_back("pipeline.parallelism", needed(name, value, "N"));
    else if (name == "config")
      files_.push_back(needed(name, value, "FILE"));
    else
      out_.parameters.push_back({name, std::move(value)});
  }

  /// The next argument, if it can be the value of the one before it.
  std::optional<std::string> take_value() {
    if (rest_.empty()) return {};
    const std::string_view next = rest_.front();
    if (next.starts_with("--") || next == "-o" || next == "-h") return {};
    return std::string{take()};
  }

  static std::string needed(const std::string& name, const std::optional<std::string>& value, const char* kind) {
    if (!value) throw pipeline_error("option --" + name + " has no value\n  help: it is written --" + name + " " + kind);
    return *value;
  }

  void add_option() {
    const auto text = take_value().value_or("");
    const auto is = text.find('=');
    if (is == text.npos || is == 0)
      throw pipeline_error("option -o needs a name and a value" + (text.empty() ? "" : ", not " + quoted(text)) +
                           "\n  help: it is written -o NAME=VALUE");
    options_.emplace_back(text.substr(0, is), text.substr(is + 1));
  }

  std::string program_;
  std::span<const char* const> rest_;
  command_line out_;
  std::vector<std::string> files_;
  std::vector<std::pair<std::string, std::string>> options_;
};

void set_from_line(std::string_view line, options& o) {
  const auto text = trimmed(line);
  if (text.empty() || text.starts_with('#')) return;
  const auto is = text.find('=');
  if (is == text.npos) throw pipeline_error(quoted(text) + " is not of the form name = value");
  set_option(o, std::string{trimmed(text.substr(0, is))}, std::string{trimmed(text.substr(is + 1))});
}

}  // namespace

command_line read_command_line(std::string_view program, std::span<const char* const> args) {
  return reader{program, args}.read();
}

void read_options(const std::string& path, options& o) {
  std::ifstream file{path};
  if (!file) throw pipeline_error("the file of options " + quoted(path) + " cannot be opened");
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    try {
      set_from_line(line, o);
    } catch (const pipeline_error& e) {
      throw pipeline_error(path + ":" + std::to_string(number) + ": " + e.what());
    }
  }
  if (!file.eof()) throw pipeline_error("the file of options " + quoted(path) + " cannot be read");
}

void check_parameters(std::string_view program, const params& given, const std::vector<parameter_use>& uses) {
  std::vector<std::string> names;
  for (const auto& use : uses) {
    if (std::find(own_options.begin(), own_options.end(), use.name) != own_options.end())
      throw pipeline_error("parameter --" + use.name + " cannot be read by the program: it is an option of its own");
    names.push_back(use.name);
  }
  for (const auto& g : given.given()) {
    if (std::find(names.begin(), names.end(), g.name) != names.end()) continue;
    const std::string app{program};
    names.insert(names.end(), own_options.begin(), own_options.end());
    throw pipeline_error(app + " has no parameter --" + g.name +
                         suggestion(g.name, names, "--", app + " --help lists the parameters"));
  }
}

}  // namespace spillway
