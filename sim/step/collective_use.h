// How often each kind of collective ran in a step, how long it took and how much of it was hidden.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/graph/timeline.h"
#include "sim/step/step_graph.h"

namespace flotilla::step {

struct CollectiveUse {
  std::int64_t calls = 0;  // on all representatives together
  Seconds time;            // of all calls, contention included
  Seconds hidden;          // part of it during which the rank ran kernels
  std::vector<std::int64_t> calls_by_rank;

  CollectiveUse& operator+=(const CollectiveUse& other);
};

// By index of step.collectives.
std::vector<CollectiveUse> collective_uses(const StepGraph& step, const graph::Timeline& timeline);

}  // namespace flotilla::step
