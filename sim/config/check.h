// What ties the objects of a scenario together: defaults that depend on one another, identities,
// and divisibility.
#pragma once

#include "sim/config/json_document.h"
#include "sim/config/problem.h"
#include "sim/config/scenario.h"
#include "sim/config/stage_split.h"

namespace flotilla::config {

// Fills what the tree does not say, and tells it in scenario.assumptions.
void apply_defaults(const JsonValue& tree, Scenario& scenario, const ProblemList& problems);

// Fills layout.dp and layout.stage_layers. Values that could not be read are left out of the
// checks.
void check_scenario(const JsonValue& tree, const SplitRequest& split, Scenario& scenario,
                    ProblemList& problems);

}  // namespace flotilla::config
