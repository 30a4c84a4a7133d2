#pragma once
#include "actors/operator_recipe.hpp"
#include "actors/operators/keyed_rows.hpp"

namespace spillway {

namespace detail {

/// Asks the operator's own `on_query`, after checking both types.
template <class X>
std::any ask_operator(X& op, const question& q) {
  using types = decltype(query_types_of(&X::on_query));
  using reply = typename types::reply;
  using query = typename types::query;
  const auto* asked = std::any_cast<query>(&q.query);
  if (!asked)
    throw query_error("step '" + q.step + "' answers a " + type_text<query>() + ", but was asked a " + type_text(q.query.type()));
  if (q.reply != typeid(reply))
    throw query_error("step '" + q.step + "' replies with " + type_text<reply>() + ", but " + type_text(q.reply) + " was asked for");
  return reply{op.on_query(*asked)};
}

}  // namespace detail

/// Runs an operator of the user's own that has no keys.
template <class X>
class process_stage final : public stage {
  using In = typename X::row_type;
  using Out = typename X::out_type;

 public:
  explicit process_stage(std::unique_ptr<X> op) : op_(std::move(op)) {}

  progress on_rows(rows_cursor& in, outlet& to) override {
    const auto& rows = rows_in<In>(std::as_const(*in.rows));
    out_.bind(to);
    stream_context<Out> ctx{out_};
    auto i = in.at;
    try {
      for (const auto n = rows.size(); i < n && !to.full(); ++i) {
        out_.at(rows, i);
        op_->on_row(rows[i], ctx);
      }
    } catch (...) {
      in.at = i;
      detail::fail_at_row(rows[i]);
    }
    in.at = i;
    if (i < rows.size()) return progress::more;
    out_.flush();
    return progress::done;
  }

  progress on_mark(const control& mark, outlet& to) override {
    if (!is_end(mark)) return progress::done;
    out_.bind(to);
    out_.without_time();
    stream_context<Out> ctx{out_};
    if constexpr (requires { op_->on_end(ctx); }) op_->on_end(ctx);
    out_.flush();
    return progress::done;
  }

  message_handlers* handlers() override { return handlers_of(*op_); }

 private:
  std::unique_ptr<X> op_;
  out<Out> out_{batch_pool::make()};
};

/// Runs a keyed operator of the user's own.
template <class T, class KeyOf, class X>
class keyed_process_stage final : public stage {
  using K = typename X::key_type;
  using Out = typename X::out_type;

 public:
  keyed_process_stage(KeyOf key_of, std::unique_ptr<X> op, const stage_context& ctx)
      : op_(std::move(op)), keys_(std::move(key_of)), directory_(ctx.groups, ctx.subtask) {}

  progress on_rows(rows_cursor& in, outlet& to) override {
    const auto& rows = rows_in<T>(std::as_const(*in.rows));
    out_.bind(to);
    while (in.at < rows.size() && !to.full()) work_block(rows, in.at, to);
    if (in.at < rows.size()) return progress::more;
    out_.flush();
    return progress::done;
  }

  progress on_mark(const control& mark, outlet& to) override {
    if (!is_end(mark)) return progress::done;
    out_.bind(to);
    out_.without_time();
    if constexpr (has_on_end) {
      const bool all = directory_.walk(next_, [&](const K& key, std::uint32_t number) {
        op_->select_key(number);
        keyed_context<K, Out> ctx{out_, key};
        try {
          op_->on_end(ctx);
        } catch (...) {
          detail::fail_on_key(key);
        }
        return !to.full();
      });
      if (!all) return progress::more;
    }
    out_.flush();
    return progress::done;
  }

  /// A key that nobody has set a state for is asked like one whose states are empty, and leaves nothing behind.
  std::any answer(const question& q) override {
    if constexpr (detail::answers_queries<X>) {
      const auto key = detail::key_from<K>(q);
      const auto* known = directory_.find(q.hash, key);
      op_->select_key(known ? *known : directory_.spare());
      auto reply = ask(q, known != nullptr);
      if (known) drop_if_empty(q.hash, key);
      return reply;
    } else {
      return stage::answer(q);
    }
  }

  std::uint64_t keys() const override { return directory_.size(); }
  message_handlers* handlers() override { return handlers_of(*op_); }

 private:
  static constexpr bool has_on_end = requires(X& x, keyed_context<K, Out>& ctx) { x.on_end(ctx); };

  /// A new key stays out of the directory, which may be half-way through a walk.
  std::any ask(const question& q, bool known) {
    struct forget {
      X& op;
      bool known;
      ~forget() {
        if (!known) op.clear_states(op.selected_key());
      }
    } afterwards{*op_, known};
    return detail::ask_operator(*op_, q);
  }

  void work_block(const batch_of<T>& rows, std::size_t& at, outlet& to) {
    const auto n = std::min(lookup_block, rows.size() - at);
    const auto* hashes = keys_.look_ahead(rows, at, n, directory_);
    std::size_t i = 0;
    try {
      for (; i < n && !to.full(); ++i) {
        decltype(auto) key = keys_.key(rows[at + i]);
        op_->select_key(directory_.at(hashes[i], key));
        out_.at(rows, at + i);
        keyed_context<K, Out> ctx{out_, key};
        op_->on_row(rows[at + i], ctx);
        drop_if_empty(hashes[i], key);
      }
    } catch (...) {
      at += i;
      detail::fail_at_row(rows[at]);
    }
    at += i;
  }

  void drop_if_empty(std::uint64_t hash, const K& key) {
    if (!op_->has_state(op_->selected_key())) directory_.erase(hash, key);
  }

  std::unique_ptr<X> op_;
  detail::keyed_rows<T, KeyOf> keys_;
  key_directory<K> directory_;
  typename key_directory<K>::cursor next_;
  out<Out> out_{batch_pool::make()};
};

}  // namespace spillway
