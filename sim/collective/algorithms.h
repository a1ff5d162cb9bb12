// What each algorithm asks of one rank: bytes through its two ports, and steps that wait.
//
// n ranks on N nodes, k a node, S the tensor; r = 2 for an all-reduce, 1 for an all-gather or a
// reduce-scatter. Bytes are per direction; a rank's NIC carries 1/k of what its node exchanges.
//
// ring          r (n-1)/n S through every rank, of which 1/k by the NIC; r (n-1) steps, r (N-1) of
//               them between nodes (Thakur et al. 2005). k rings leave each node at another rank.
//               Broadcast: S, in n-1 steps.
// tree          chain inside a node, double binary tree between nodes (Sanders et al. 2009): every
//               node sends S up and S down, 2 S in all; two nodes exchange halves, S. Latency
//               2 (k-1) steps in the node and 2 ceil(log2 N) levels between nodes.
// hierarchical  reduce-scatter in the node, ring over N nodes with 1/k of the tensor, all-gather in
//               the node, without overlap: both tiers' times add up, so the shorter one is
//               waiting.
// nvls          the switch reads a reduced 1/n from all n ports and writes a sum to all n ports:
//               (1 + 1/n) S each way for an all-reduce, (n-1)/n S for the other two; no steps.
// nvls_tree     nvls in each node, and the tree between nodes.
// pairwise      all-to-all: (k-1)/n S stays in the node, (n-k)/n S leaves it, the rank's whole
// share
//               by its own NIC. send_recv: S to the next rank.
#pragma once

#include "sim/collective/collective.h"

namespace flotilla::collective {

struct Demand {
  Bytes node;
  Bytes network;
  double node_hops = 0;
  double network_hops = 0;
  Bytes local;              // copied inside the rank's memory, if the library's timing says so
  double levels = 0;        // of the tree between nodes; 0: network hops are steps of a ring
  bool one_by_one = false;  // the tiers work after, not beside each other
  bool at_once = false;     // hops are messages under way together: one wire latency for all
};

// `channels`: the most NICs of a node that rings and trees use, 0 for no limit. Precondition:
// supports(op, algorithm, at), and more than one rank.
Demand demand(Op op, Algorithm algorithm, Bytes bytes, const Placement& at, std::int64_t channels);

}  // namespace flotilla::collective
