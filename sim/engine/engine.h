// Runs one OpGraph on SimGrid. The only room that includes SimGrid.
//
// Compute operations occupy their rank for their duration; the flows of a communication share the
// links that they cross by max-min fairness (SimGrid's CM02 with latency, TCP window and cross
// traffic switched off, so that bandwidth alone decides; latencies are paid by delaying the start).
#pragma once

#include "sim/graph/op_graph.h"
#include "sim/graph/timeline.h"

namespace flotilla::engine {

// Simulates the graph in a forked child (SimGrid allows one engine per process) and returns the
// start and end of every operation. Throws std::logic_error for a graph that deadlocks,
// std::runtime_error when the child fails.
graph::Timeline run(const graph::OpGraph& graph);

// The same times by way of the quotient of the graph (sim/graph/symmetry.h): for graphs of many
// ranks that do the same.
graph::Timeline run_folded(const graph::OpGraph& graph);

// "3.32": the SimGrid that the program was built with.
const char* simgrid_version();

}  // namespace flotilla::engine
