#pragma once
#include "actors/sources/json_shape.hpp"
#include "actors/sources/tail_records.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace spillway::detail {

/// Rows of lines that are JSON objects; blank ones are left out. `place` is what stands before the number of a line:
/// `live.jsonl:`.
std::unique_ptr<record_stream> json_records(std::string place, json_shape row, std::size_t max_record, bad_row_port& bad);

}  // namespace spillway::detail
