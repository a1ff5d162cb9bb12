// From a simulated step to the answers of the output contract.
#pragma once

#include "sim/config/scenario.h"
#include "sim/graph/timeline.h"
#include "sim/report/summary.h"
#include "sim/step/step_graph.h"

namespace flotilla::step {

// Everything but engine.wall_s and engine.peak_rss_bytes.
report::Summary summarize(const config::Scenario& scenario, const StepGraph& step,
                          const graph::Timeline& timeline);

}  // namespace flotilla::step
