// Collectives as pages for people and documents for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/collective/nccl_log.h"
#include "sim/report/style.h"
#include "sim/study/collective_facts.h"
#include "sim/study/collective_sweep.h"

namespace flotilla::study {

std::string sweep_page(const CollectiveSweep& sweep, const report::Style& style);
// { "rows": [{"bytes", "ranks", "algorithm", "protocol", "time_s", "algbw_Bps", "busbw_Bps"}],
//   "engine": {...}, ... }
nlohmann::ordered_json sweep_json(const CollectiveSweep& sweep);

// The sweep was made for the sizes of the log, row by row.
std::string compare_log_page(const CollectiveSweep& sweep, const collective::NcclLog& log,
                             const report::Style& style);
nlohmann::ordered_json compare_log_json(const CollectiveSweep& sweep,
                                        const collective::NcclLog& log);

// One row a sweep, small and large messages apart, and all of them together.
std::string errors_page(const std::vector<FactError>& errors, const report::Style& style);
nlohmann::ordered_json errors_json(const std::vector<FactError>& errors);

}  // namespace flotilla::study
