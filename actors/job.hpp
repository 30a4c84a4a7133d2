#pragma once
// A running job, as the program that started it sees it.
#include "actors/options.hpp"
#include "messages/errors.hpp"
#include "messages/key.hpp"
#include "messages/query.hpp"
#include "messages/views.hpp"

#include <any>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace spillway {

struct execution_plan;

namespace detail {

/// String literals and integers stand for their key type's canonical form.
template <class K>
auto asked_key(const K& key) {
  if constexpr (std::is_convertible_v<const K&, std::string_view>)
    return std::string{std::string_view{key}};
  else if constexpr (std::is_integral_v<K> && std::is_unsigned_v<K> && sizeof(K) == sizeof(std::uint64_t))
    return static_cast<std::uint64_t>(key);
  else if constexpr (std::is_integral_v<K>)
    return static_cast<std::int64_t>(key);
  else
    return canonical(key);
}

class job_runtime;

}  // namespace detail

/// A job that was started. Move-only; its destructor cancels the job and waits for its end.
///
/// Threads: `wait`, `cancel` and the questions may be called from any thread, also at once.
class job {
 public:
  explicit job(std::shared_ptr<detail::job_runtime> runtime) noexcept;
  job(job&&) noexcept;
  job& operator=(job&&) noexcept;
  ~job();

  /// Blocks until the job has ended. Returns `finished` or `cancelled`; throws `job_failed`.
  job_phase wait();

  /// Like `wait`, but for at most `d`; then the job's phase, which may be `running`.
  job_phase wait_for(std::chrono::milliseconds d);

  /// Asks the job to stop without finishing its work; returns at once. Without effect on a job that has ended.
  void cancel();

  /// The state of all its tasks and partitions; of a job that has ended, the state in which it did.
  job_view inspect() const;

  /// The state of `step` in each subtask that runs it, in order. Throws `query_error` if there is no such step.
  std::vector<task_view> inspect(std::string_view step) const;

  /// Asks the subtask of `step` that owns `key` a question of the step's own (`on_query`). Blocks until it answers. Throws
  /// `query_error` naming both types if the step has another key, query or reply type, and if the step has ended.
  template <class Reply, class K, class Query>
  Reply ask(std::string_view step, const K& key, Query query) const {
    auto k = detail::asked_key(key);
    question q{std::string{step}, key_hash(k), std::move(k), std::any(std::move(query)), typeid(Reply)};
    return std::any_cast<Reply>(ask(std::move(q)));
  }

  /// The current value of `key` in a step that keeps one (`running`, `aggregate`, `reduce`).
  template <class Reply, class K>
  Reply ask(std::string_view step, const K& key) const {
    return ask<Reply>(step, key, value_query{});
  }

  const execution_plan& plan() const;

  /// For <spillway/actor.hpp>.
  detail::job_runtime& runtime() const noexcept { return *runtime_; }

 private:
  std::any ask(question q) const;

  std::shared_ptr<detail::job_runtime> runtime_;
};

}  // namespace spillway
