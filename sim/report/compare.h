// Scenarios side by side: what differs between them, what comes out, and what explains it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "sim/report/style.h"
#include "sim/report/summary.h"
#include "sim/report/words.h"

namespace flotilla::report {

// The parts of a step that account for most of the difference between two scenarios, the largest
// first. What is compared is GPU time per token: for the same batch on as many GPUs that is the
// step time; otherwise it is what the step time would have been in proportion. Empty when the two
// differ by less than one percent.
std::vector<const Part*> explaining_parts(const Summary& base, const Summary& other);

// Tables that fit the width, the first scenario repeated in each, and a sentence on each of the
// others.
std::string compare_page(std::span<const Summary> summaries, const Style& style);

// {"schema", "rows": [the JSON of each scenario, with "relative"], "differences": [...]}.
nlohmann::ordered_json compare_json(std::span<const Summary> summaries);

}  // namespace flotilla::report
