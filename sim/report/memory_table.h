// Memory by pipeline stage, as a table that stays short whatever the number of stages.
#pragma once

#include <string>

#include "sim/report/style.h"
#include "sim/report/summary.h"

namespace flotilla::report {

// Neighbouring stages that hold the same are one row "1-14". When that leaves too many rows, stages
// that differ in their activations alone are one row too, with the range of these.
std::string memory_table(const Memory& memory, const Style& style);

}  // namespace flotilla::report
