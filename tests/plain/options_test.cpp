#include "actors/options.hpp"

#include "actors/app/command_line.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using spillway::options;

namespace {

options with(const std::string& name, const std::string& value) {
  options o;
  spillway::set_option(o, name, value);
  return o;
}

std::string refusal(const std::string& name, const std::string& value) {
  try {
    (void)with(name, value);
  } catch (const spillway::pipeline_error& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("each option is set by its name") {
  CHECK(with("job.name", "orders").name == "orders");
  CHECK(with("pipeline.parallelism", "3").parallelism == 3);
  CHECK(with("pipeline.max-parallelism", "256").max_parallelism == 256);
  CHECK(with("execution.buffer-timeout", "5ms").buffer_timeout == 5ms);
  CHECK(with("execution.buffer-timeout", "0s").buffer_timeout == 0ms);
  CHECK(with("exchange.permits", "1").permits == 1);
  CHECK(with("exchange.credit", "16").credit == 16);
  CHECK(with("scheduler.threads", "2").threads == 2);
  CHECK(with("scheduler.policy", "stealing").policy == "stealing");
  CHECK(with("execution.attached", "true").attached);
}

TEST_CASE("a value that an option cannot have says what it must be") {
  CHECK(refusal("job.name", "") == "option 'job.name' must be a name, not ''");
  CHECK(refusal("pipeline.parallelism", "0") == "option 'pipeline.parallelism' must be a whole number of at least 1, not '0'");
  CHECK(refusal("pipeline.parallelism", "-1") == "option 'pipeline.parallelism' must be a whole number of at least 1, not '-1'");
  CHECK(refusal("exchange.permits", "0") == "option 'exchange.permits' must be a whole number of at least 1, not '0'");
  CHECK(refusal("exchange.credit", "four") == "option 'exchange.credit' must be a whole number of at least 1, not 'four'");
  CHECK(refusal("scheduler.threads", "4294967296") ==
        "option 'scheduler.threads' must be a whole number of at least 1, not '4294967296'");
  CHECK(refusal("pipeline.max-parallelism", "100") ==
        "option 'pipeline.max-parallelism' must be a power of two, such as 128, not '100'");
  CHECK(refusal("execution.buffer-timeout", "10") ==
        "option 'execution.buffer-timeout' must be 0, or a duration such as 10ms or 1s, not '10'");
  CHECK(refusal("execution.buffer-timeout", "10ns") ==
        "option 'execution.buffer-timeout' must be a whole number of us, not '10ns'");
  CHECK(refusal("scheduler.policy", "fair") == "option 'scheduler.policy' must be sharing or stealing, not 'fair'");
  CHECK(refusal("execution.attached", "yes") == "option 'execution.attached' must be true or false, not 'yes'");
}

TEST_CASE("a refused value leaves the options as they were") {
  options o;
  CHECK_THROWS(spillway::set_option(o, "exchange.credit", "0"));
  CHECK_THROWS(spillway::set_option(o, "execution.attached", "maybe"));
  CHECK(o.credit == options{}.credit);
  CHECK(o.attached == options{}.attached);
}

TEST_CASE("an option that does not exist gives the nearest one, or all") {
  CHECK(refusal("exchange.permit", "4") == "there is no option 'exchange.permit'\n  help: did you mean 'exchange.permits'?");
  CHECK(refusal("colour", "red") ==
        "there is no option 'colour'\n  help: the options are job.name, pipeline.parallelism, pipeline.max-parallelism, "
        "execution.buffer-timeout, exchange.permits, exchange.credit, scheduler.threads, scheduler.policy, execution.attached");
}

TEST_CASE("the list of options shows the default of each") {
  std::string text;
  for (const auto& o : spillway::list_options()) text += o.name + ": " + o.fallback + "\n";
  CHECK(text ==
        "job.name: the program's name\n"
        "pipeline.parallelism: the number of cores\n"
        "pipeline.max-parallelism: 8 x parallelism, from 128\n"
        "execution.buffer-timeout: 10ms\n"
        "exchange.permits: 4\n"
        "exchange.credit: 4\n"
        "scheduler.threads: the number of cores\n"
        "scheduler.policy: sharing\n"
        "execution.attached: false\n");
}

TEST_CASE("options that no job can run with are refused by name, also when they were set in code") {
  const auto refused = [](auto set) {
    spillway::options o;
    set(o);
    try {
      spillway::check_options(o);
    } catch (const spillway::pipeline_error& e) {
      return std::string{e.what()};
    }
    return std::string{};
  };
  CHECK(refused([](auto&) {}).empty());
  CHECK(refused([](auto& o) { o.permits = 0; }) == "option 'exchange.permits' must be a whole number of at least 1");
  CHECK(refused([](auto& o) { o.credit = 0; }) == "option 'exchange.credit' must be a whole number of at least 1");
  CHECK(refused([](auto& o) { o.policy = "steal"; }) == "option 'scheduler.policy' must be sharing or stealing, not 'steal'");
}
