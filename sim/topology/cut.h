// What passes between the two halves of a machine.
#pragma once

#include "sim/topology/fabric.h"

namespace flotilla::topology {

struct Bisection {
  std::int64_t gpus_in_half = 0;
  BytesPerSecond bandwidth;  // maximum flow from one half to the other, one direction
  // What one half can send into the network, or, within one node, into the node's fabric.
  BytesPerSecond injection;
  // 1: full bisection; 7: "1:7".
  [[nodiscard]] double oversubscription() const { return injection / bandwidth; }
};

// The nodes cut in two where the network is weakest by design (a torus across its longest
// dimension, other networks between the lower and the higher numbers); the GPUs of a single node.
// By max-flow on the graph (Boykov and Kolmogorov 2004). Nothing (all zero) for a single GPU.
Bisection bisection(const Fabric& fabric);

}  // namespace flotilla::topology
