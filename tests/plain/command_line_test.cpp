#include "actors/app/command_line.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace std::chrono_literals;
using spillway::command;
using spillway::params;

namespace {

auto parsed(std::initializer_list<const char*> args) {
  return spillway::read_command_line("flights", {args.begin(), args.size()});
}

std::string refusal(std::initializer_list<const char*> args) {
  try {
    (void)parsed(args);
  } catch (const spillway::pipeline_error& e) {
    return e.what();
  }
  return "accepted";
}

std::string parameters(std::initializer_list<const char*> args) {
  std::string text;
  for (const auto& p : parsed(args).parameters) text += p.name + (p.value ? "=" + *p.value : "") + ";";
  return text;
}

/// A file of options that is there as long as this object.
struct config_file {
  explicit config_file(const std::string& text) { std::ofstream{path} << text; }
  ~config_file() { std::filesystem::remove(path); }
  std::string path = (std::filesystem::temp_directory_path() / ("spillway-" + std::to_string(getpid()) + ".conf")).string();
};

/// The parameters of a program with one that is required and one that is not.
std::vector<spillway::parameter_use> uses() {
  const auto blank = params::blank();
  (void)blank["history"];
  (void)blank.get("top", 15, "airports to show on screen");
  (void)blank.get("out", "");
  return blank.uses();
}

std::string unknown(const char* name) {
  try {
    spillway::check_parameters("flights", params{{{name, "1"}}}, uses());
  } catch (const spillway::pipeline_error& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("the first word is the command") {
  CHECK(parsed({"run"}).what == command::run);
  CHECK(parsed({"explain"}).what == command::explain);
  CHECK(parsed({"help"}).what == command::help);
  CHECK(parsed({"--help"}).what == command::help);
  CHECK(parsed({"run", "--top", "3", "--help", "anything"}).what == command::help);
}

TEST_CASE("a command that does not exist gives the nearest one, or all") {
  CHECK(refusal({"rum"}) == "there is no command 'rum'\n  help: did you mean run?");
  CHECK(refusal({"start"}) == "there is no command 'start'\n  help: the commands are run, explain and help");
  CHECK(refusal({"--top", "3"}) == "the command is missing before '--top'\n  help: flights run --top ...");
}

TEST_CASE("parameters are written in two ways, and alone") {
  CHECK(parameters({"run", "--top", "3", "--out=a=b", "--fast"}) == "top=3;out=a=b;fast;");
  CHECK(parameters({"run", "--fast", "--top", "-3", "--in", "-", "--none="}) == "fast;top=-3;in=-;none=;");
  CHECK(parameters({"run", "--fast", "-o", "exchange.credit=2"}) == "fast;");
}

TEST_CASE("options are set in their order, and do not become parameters") {
  const auto line =
      parsed({"run", "--parallelism", "3", "-o", "exchange.credit=2", "--quiet", "-o", "exchange.credit=8", "--verbose"});
  CHECK(line.how.parallelism == 3);
  CHECK(line.how.credit == 8);
  CHECK(line.quiet);
  CHECK(line.verbose);
  CHECK(line.parameters.empty());
  CHECK(parsed({"run", "--parallelism=5"}).how.parallelism == 5);
}

TEST_CASE("the job has the program's name unless an option says otherwise") {
  CHECK(parsed({"run"}).how.name == "flights");
  CHECK(parsed({"run", "-o", "job.name=test"}).how.name == "test");
}

TEST_CASE("arguments that mean nothing are refused") {
  CHECK(refusal({"run", "fast"}) == "nothing asks for 'fast'\n  help: parameters are written --name value");
  CHECK(refusal({"run", "--quiet", "yes"}) == "nothing asks for 'yes'\n  help: parameters are written --name value");
  CHECK(refusal({"run", "-p", "3"}) == "there is no option '-p'\n  help: flights --help lists the options");
  CHECK(refusal({"run", "--"}) == "there is no option '--'\n  help: flights --help lists the options");
  CHECK(refusal({"run", "--=3"}) == "there is no option '--=3'\n  help: flights --help lists the options");
  CHECK(refusal({"run", "--quiet=yes"}) == "option --quiet takes no value");
}

TEST_CASE("options without a value say how they are written") {
  CHECK(refusal({"run", "--parallelism"}) == "option --parallelism has no value\n  help: it is written --parallelism N");
  CHECK(refusal({"run", "--config", "--quiet"}) == "option --config has no value\n  help: it is written --config FILE");
  CHECK(refusal({"run", "-o"}) == "option -o needs a name and a value\n  help: it is written -o NAME=VALUE");
  CHECK(refusal({"run", "-o", "exchange.credit"}) ==
        "option -o needs a name and a value, not 'exchange.credit'\n  help: it is written -o NAME=VALUE");
  CHECK(refusal({"run", "--parallelism", "0"}) == "option 'pipeline.parallelism' must be a whole number of at least 1, not '0'");
}

TEST_CASE("a file sets options, and arguments override it wherever they stand") {
  const config_file file{"# for tests\n\n  exchange.credit = 2\r\nexchange.permits=3\njob.name = a = b"};
  const auto line = parsed({"run", "-o", "exchange.credit=8", "--config", file.path.c_str()});
  CHECK(line.how.credit == 8);
  CHECK(line.how.permits == 3);
  CHECK(line.how.name == "a = b");
}

TEST_CASE("a mistake in a file names file and line") {
  const config_file unknown{"# one\nexchange.permit = 3\n"};
  CHECK(refusal({"run", "--config", unknown.path.c_str()}) ==
        unknown.path + ":2: there is no option 'exchange.permit'\n  help: did you mean 'exchange.permits'?");
  const config_file unset{"exchange.permits\n"};
  CHECK(refusal({"run", "--config", unset.path.c_str()}) ==
        unset.path + ":1: 'exchange.permits' is not of the form name = value");
  const config_file wrong{"\n\nexchange.permits = 0\n"};
  CHECK(refusal({"run", "--config", wrong.path.c_str()}) ==
        wrong.path + ":3: option 'exchange.permits' must be a whole number of at least 1, not '0'");
}

TEST_CASE("a file that is not there, or is a folder, is named") {
  CHECK(refusal({"run", "--config", "/nowhere/x.conf"}) == "the file of options '/nowhere/x.conf' cannot be opened");
  const auto folder = std::filesystem::temp_directory_path().string();
  CHECK(refusal({"run", "--config", folder.c_str()}) == "the file of options '" + folder + "' cannot be read");
}

TEST_CASE("a parameter that the program does not read gives the nearest name") {
  CHECK(unknown("history") == "accepted");
  CHECK(unknown("histroy") == "flights has no parameter --histroy\n  help: did you mean --history?");
  CHECK(unknown("paralelism") == "flights has no parameter --paralelism\n  help: did you mean --parallelism?");
  CHECK(unknown("colour") == "flights has no parameter --colour\n  help: flights --help lists the parameters");
}

TEST_CASE("a program that reads a parameter of an option's name is told so") {
  const params args;
  (void)args.get("config", "x");
  CHECK_THROWS_WITH(spillway::check_parameters("flights", args, args.uses()),
                    "parameter --config cannot be read by the program: it is an option of its own");
}

TEST_CASE("help begins with two examples and shows commands, parameters and options") {
  CHECK(spillway::help_text("flights", uses()) == R"(  flights run --history TEXT
  flights explain --history TEXT --parallelism 2

Commands
  run      runs the job in this process until it ends; Ctrl-C cancels it
  explain  shows the steps, tasks and exchanges without running anything
  help     shows this

Parameters
  --history TEXT  required
  --top N         airports to show on screen (default: 15)
  --out TEXT      default: empty

Options
  --parallelism N  the same as -o pipeline.parallelism=N
  -o NAME=VALUE    sets an option of those below; can be given several times
  --config FILE    sets options from a file of lines NAME = VALUE; lines beginning with # are skipped
  --quiet          shows errors only
  --verbose        shows the plan before it runs

  -o job.name                  the job's name in messages (default: the program's name)
  -o pipeline.parallelism      subtasks of a step that does not say otherwise (default: the number of cores)
  -o pipeline.max-parallelism  key groups, a power of two (default: 8 x parallelism, from 128)
  -o execution.buffer-timeout  the longest time a row waits for its batch to fill (default: 10ms)
  -o exchange.permits          batches that may wait in a subpartition (default: 4)
  -o exchange.credit           batches that may be under way to a consumer, for each channel (default: 4)
  -o scheduler.threads         threads that run actors (default: the number of cores)
  -o scheduler.policy          sharing (no CPU when idle, low latency) or stealing (default: sharing)
  -o execution.attached        blocking readers and sinks run on the actors' threads (default: false)
)");
}
