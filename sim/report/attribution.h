// Where the wall time of one rank goes: its compute blocks, and the reasons for the gaps between
// them.
#pragma once

#include "sim/graph/op_graph.h"
#include "sim/graph/timeline.h"
#include "sim/report/summary.h"

namespace flotilla::report {

// Mean over the ranks of the graph. Each gap is explained by walking back from what the waiting
// block waited for last: while a hand-over was on its way it is pp_exposed, while gradients or
// parameters of the same rank moved it is dp_exposed, while the norm of the gradients was summed it
// is optimizer, while another rank computed (or waited) it is bubble. Adds up to timeline.makespan.
Breakdown attribute(const graph::OpGraph& graph, const graph::Timeline& timeline);

}  // namespace flotilla::report
