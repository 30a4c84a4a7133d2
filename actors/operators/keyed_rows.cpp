#include "actors/operators/keyed_rows.hpp"

namespace spillway::detail {

bool find_number(const question& q, asked_number& n) {
  if (const auto* i = std::any_cast<std::int64_t>(&q.key))
    n = {static_cast<std::uint64_t>(*i), *i < 0};
  else if (const auto* u = std::any_cast<std::uint64_t>(&q.key))
    n = {*u, false};
  else
    return false;
  return true;
}

void no_such_key(const question& q, const std::type_info& wanted) {
  asked_number n;
  find_number(q, n);
  const auto text = n.negative ? std::to_string(static_cast<std::int64_t>(n.bits)) : std::to_string(n.bits);
  throw query_error("step '" + q.step + "': " + text + " does not fit its key type, " + type_text(wanted));
}

void wrong_key(const question& q, const std::type_info& wanted) {
  throw query_error("step '" + q.step + "' has keys of type " + type_text(wanted) + ", but was asked with " +
                    type_text(q.key.type()));
}

bool check_value_query(const question& q, const std::type_info& type, const std::type_info& optional) {
  if (q.query.type() != typeid(value_query))
    throw query_error("step '" + q.step + "' answers only with its value, but was asked a " + type_text(q.query.type()));
  if (q.reply == optional) return true;
  if (q.reply != type)
    throw query_error("step '" + q.step + "' replies with " + type_text(type) + ", but " + type_text(q.reply) + " was asked for");
  return false;
}

void no_value(const question& q) {
  throw query_error("step '" + q.step + "' has no value for this key (ask for a std::optional to allow that)");
}

}  // namespace spillway::detail
