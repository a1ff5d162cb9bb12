// Ring collectives: what one rank sends and receives, and what the ring costs in latency.
//
// A ring over n ranks moves 2 (n-1)/n S (all-reduce) or (n-1)/n S (all-gather, reduce-scatter)
// through every rank's port in 2 (n-1) or n-1 steps; its steps are identical, so they are one flow
// of all the bytes and the latencies of all the steps:  T = 2 (n-1)/n S / B + 2 (n-1) alpha (Thakur
// et al. 2005).
//
// A group that spans nodes runs one ring per rank of a node, each leaving the node at another rank,
// so that all NICs are used (NCCL's channels). Of the bytes of one rank 1/k then leave by its NIC,
// and (k-1)/k stay on the node's fabric, k being the ranks in a node.
#pragma once

#include <cstdint>
#include <string>

#include "sim/config/platform.h"
#include "sim/units/quantity.h"

namespace flotilla::collective {

enum class Op { all_reduce, all_gather, reduce_scatter };

// Where the ranks of a group are, and what one of them gets of the fabric when nothing else runs.
struct Placement {
  std::int64_t ranks = 1;
  std::int64_t nodes = 1;
  std::int64_t ranks_per_node = 1;
  config::LinkKind node_kind = config::LinkKind::nvlink;
  BytesPerSecond node_rate;     // unused when ranks_per_node is 1
  BytesPerSecond network_rate;  // unused when nodes is 1
  Seconds node_hop;             // latency of the link itself, protocol aside
  Seconds network_hop;
};

struct Plan {
  std::string protocol;
  Seconds latency;
  Bytes node_bytes;     // through the rank's port to its node, each direction, as on the wire
  Bytes network_bytes;  // through its NIC
  Seconds time;         // alone on the fabric: latency + the slower of the two
};

// The plan with the protocol that is fastest for this size. `bytes` is the whole tensor, as
// nccl-tests counts it. A group of one rank costs nothing.
Plan plan_ring(Op op, Bytes bytes, const Placement& placement,
               const config::CollectiveLibrary& library);

// busbw / algbw as nccl-tests defines it: 2 (n-1)/n or (n-1)/n.
double bus_factor(Op op, std::int64_t ranks);

}  // namespace flotilla::collective
