// The end of a step on one GPU: gradient norm and the Adam update.
#pragma once

#include "sim/config/scenario.h"
#include "sim/units/quantity.h"

namespace flotilla::step {

// Memory-bound: the update reads and writes master copy, both moments (8 bytes each), reads the
// gradient and writes the weight of every parameter of the shard; norm and zeroing pass over the
// gradients once more each.
Seconds optimizer_time(const config::Scenario& scenario, double parameters);

// One number summed over the tensor and pipeline ranks of a replica: a tree's latency, down and up.
Seconds gradient_norm_time(const config::Scenario& scenario);

}  // namespace flotilla::step
