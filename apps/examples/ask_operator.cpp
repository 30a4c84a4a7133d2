// An operator of one's own that can be asked while it runs: by key from any thread, and by a CAF message to each of its subtasks.
#include <spillway.hpp>
#include <spillway/actor.hpp>

#include <caf/all.hpp>

#include <cstdio>

namespace sw = spillway;

struct payment {
  std::int64_t account = 0, cents = 0;
};
BOOST_DESCRIBE_STRUCT(payment, (), (account, cents))

struct spent {
  std::int64_t payments = 0, cents = 0;
};
BOOST_DESCRIBE_STRUCT(spent, (), (payments, cents))

struct total_at_least {
  std::int64_t cents = 0;
};

using count_atom = caf::atom_constant<caf::atom("count")>;

/// Keeps what each account has spent, and lets payments above a limit through.
struct watch : sw::keyed_operator<std::int64_t, payment, payment>, sw::message_handlers {
  explicit watch(std::int64_t limit) : limit(limit) {}

  void on_row(const payment& p, auto& ctx) {
    ++seen;
    ++spent_->payments;
    spent_->cents += p.cents;
    if (p.cents > limit) ctx.emit(p);
  }
  bool on_query(const total_at_least& q) { return spent_->cents >= q.cents; }

  caf::message_handler handlers() override {
    return {[this](count_atom) { return seen; }};
  }

  std::int64_t limit, seen = 0;
  sw::value_state<spent> spent_{this, "spent"};
};

int main() {
  sw::pipeline p;
  p.read("payments", sw::generate_forever(
                         [](std::uint64_t i) {
                           return payment{static_cast<std::int64_t>(i % 1000), 100};
                         },
                         {.rows_per_second = 100'000}))
      .key_by(&payment::account)
      .process("watch", sw::op<watch>(1'000))
      .write("large", sw::to_callback{[](const payment& x) { std::printf("%ld\n", static_cast<long>(x.cents)); }});

  sw::options how;
  how.parallelism = 4;
  caf::actor_system_config config;
  caf::actor_system host{config};
  auto job = sw::start(p, how, host);

  while (!job.ask<bool>("watch", 7, total_at_least{1'000})) continue;
  std::printf("account 7 has spent at least 10.00\n");

  caf::scoped_actor self{host};
  std::int64_t rows = 0;
  for (std::uint32_t subtask = 0; subtask < 4; ++subtask)
    self->request(sw::actor_of(job, "watch", subtask), caf::infinite, count_atom::value)
        .receive([&](std::int64_t n) { rows += n; }, [](caf::error&) { std::printf("no answer\n"); });
  std::printf("%s\n", rows >= 10'000 ? "4 subtasks have seen at least 10000 payments" : "too few payments");
  job.cancel();
  return job.wait() == sw::job_phase::cancelled && rows >= 10'000 ? 0 : 1;
}
