#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace spillway {

/// How a job runs. Each option has the name that `-o name=value` and a file of options use.
struct options {
  /// `job.name`: in messages.
  std::string name = "job";
  /// `pipeline.parallelism`: subtasks of a step that does not say otherwise; 0 takes the number of cores.
  std::uint32_t parallelism = 0;
  /// `pipeline.max-parallelism`: key groups, a power of two; 0 takes the greater of 128 and 8 x parallelism rounded up to one.
  std::uint32_t max_parallelism = 0;
  /// `execution.buffer-timeout`: the longest time a row waits for its batch to fill, in a job that is busy; one that has nothing
  /// else to do sends at once. 0 sends after each input.
  std::chrono::microseconds buffer_timeout{10'000};
  /// `exchange.permits`: batches that may wait in a subpartition.
  std::uint32_t permits = 4;
  /// `exchange.credit`: batches that may be under way to a consumer, or wait there, for each channel.
  std::uint32_t credit = 4;
  /// `scheduler.threads`: threads that run actors; 0 takes the number of cores.
  std::uint32_t threads = 0;
  /// `scheduler.policy`: `sharing` (no CPU when idle, low latency) or `stealing`.
  std::string policy = "sharing";
  /// `execution.attached`: blocking readers and sinks run on the actors' threads; for deterministic tests.
  bool attached = false;
  /// Called with lines about the job, such as bad rows that were left out, on one of its threads. May be empty.
  std::function<void(const std::string& line)> log{};
};

/// Throws `pipeline_error` naming the option if a job cannot run with these.
void check_options(const options& o);

/// Sets one option by its name. Throws `pipeline_error` naming the option, with the nearest name if there is none, or saying what
/// its value must be.
void set_option(options& o, const std::string& name, const std::string& value);

}  // namespace spillway
