// The program in one function: scenario -> step graph -> engine on the fabric -> timeline ->
// summary.
#pragma once

#include "sim/config/scenario.h"
#include "sim/graph/timeline.h"
#include "sim/report/summary.h"
#include "sim/step/step_graph.h"

namespace flotilla::step {

struct Simulation {
  StepGraph step;
  graph::Timeline timeline;
  report::Summary summary;
};

// Throws std::logic_error for a schedule that deadlocks, std::runtime_error when the engine fails.
Simulation simulate(const config::Scenario& scenario, Fidelity fidelity = Fidelity::folded);

}  // namespace flotilla::step
