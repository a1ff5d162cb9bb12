// What a ring among GPUs of one node gets.
#pragma once

#include <vector>

#include "sim/topology/fabric.h"
#include "sim/topology/share.h"

namespace flotilla::topology {

struct NodeRing {
  BytesPerSecond rate;  // what each member sends while its likes run too
  config::LinkKind kind = config::LinkKind::nvlink;
  Seconds hop;  // one step
  // What its slowest hop crosses; of a ring on ports or direct links, the first member's ports.
  Path edges;
};

// The hops of one ring through the members, in their order; none for fewer than two.
std::vector<Transfer> ring_hops(const std::vector<Gpu>& members);

// `load` counts the hops of all rings that run at the same time. Precondition: one node.
NodeRing node_ring(const Fabric& fabric, const config::Node& node, const Load& load,
                   const std::vector<Gpu>& members);

}  // namespace flotilla::topology
