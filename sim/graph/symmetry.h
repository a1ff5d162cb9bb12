// Operations that must run alike are simulated once.
//
// Two operations are alike when they last as long, wait for operations that are alike, and send as
// many bytes over links that are alike; two links are alike when they are as wide and the flows
// that cross them are alike. That is the coarsest equitable partition of the graph, found by colour
// refinement. Max-min sharing has one solution and does not know names, so all members of a class
// start and end together, and one of each stands for all: the quotient gives exactly the times of
// the whole. Anything that breaks the symmetry (a slow GPU, a weak link) has a colour of its own
// and splits what it touches.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/graph/op_graph.h"
#include "sim/graph/timeline.h"

namespace flotilla::graph {

struct Quotient {
  // One operation a class. A flow crosses a link as often in its path as its likes cross each link
  // of that class, so that it weighs as much as they do together.
  OpGraph graph;
  std::vector<OpId> class_of;  // by operation of the whole graph: its operation in the quotient
};

Quotient fold_symmetry(const OpGraph& graph);

// The timeline of the whole graph from that of its quotient.
Timeline unfold(const Quotient& quotient, const Timeline& timeline);

}  // namespace flotilla::graph
