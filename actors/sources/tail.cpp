#include "actors/sources/tail.hpp"

#include "actors/sources/tail_lines.hpp"

namespace spillway {

void text_tail::check() const { detail::check_tail(detail::options_of(*this), from, static_cast<bool>(time)); }

std::unique_ptr<source_reader<std::string>> text_tail::open(const source_context& context) const {
  return detail::open_tail(*this, detail::text_records(path + ':', max_record, *context.bad), context);
}

}  // namespace spillway
