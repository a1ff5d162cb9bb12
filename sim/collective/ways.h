// The ways in which an algorithm can run on a placement: one for each protocol, with its constants.
#pragma once

#include <string>
#include <vector>

#include "sim/collective/algorithms.h"
#include "sim/collective/collective.h"

namespace flotilla::collective {

// Timing of one tier, defaults filled in.
struct Wire {
  Seconds hop;
  Seconds level;  // of a tree
  double fraction = 1;
  double local_copy = 0;
  double fill_share = 0;
  Bytes fill;
};

struct Way {
  Algorithm algorithm = Algorithm::ring;
  std::string protocol;
  Seconds base;
  Wire node;
  Wire network;
};

// Precondition: the algorithm is supported, and the library has a protocol.
std::vector<Way> ways(Algorithm algorithm, const Placement& at,
                      const config::CollectiveLibrary& library);

// The plan of a demand in one way:
//
//   latency = base + hops x (hop + link) + fill + local copy (+ the shorter tier, one by one)
//   bytes   = demand / fraction
//
// `network_rate`: what the rank gets of the network for this operation.
Plan timed(const Demand& demand, const Way& way, const Placement& at, BytesPerSecond network_rate);

}  // namespace flotilla::collective
