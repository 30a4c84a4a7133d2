#pragma once
// What a program's arguments say, and the texts that help to write them.
#include "actors/options.hpp"
#include "actors/app/params.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

/// An option as help shows it.
struct option_text {
  std::string name;
  std::string fallback;
  std::string sentence;
};

/// All options that `set_option` knows.
std::vector<option_text> list_options();

enum class command : std::uint8_t { run, explain, help };

/// The arguments of a program.
struct command_line {
  command what = command::help;
  /// From the files of options, then from the arguments, in their order.
  options how;
  std::vector<given_parameter> parameters;
  bool quiet = false;
  bool verbose = false;
};

/// Reads the arguments behind the program's name, at least one, and the files of options that they name. Every `--name` that is
/// no option of its own is taken for a parameter of the program. Throws `pipeline_error`.
command_line read_command_line(std::string_view program, std::span<const char* const> args);

/// Sets the options of a file: lines `name = value`; blank lines and those that begin with `#` are skipped. Throws
/// `pipeline_error` naming file and line.
void read_options(const std::string& path, options& o);

/// Throws `pipeline_error` if a given parameter is none of those that the program reads.
void check_parameters(std::string_view program, const params& given, const std::vector<parameter_use>& uses);

/// How to call the program with all that it requires, as in `flights run --history TEXT`.
std::string usage_text(std::string_view program, std::string_view command, const std::vector<parameter_use>& uses);

/// What `--help` shows.
std::string help_text(std::string_view program, const std::vector<parameter_use>& uses);

}  // namespace spillway
